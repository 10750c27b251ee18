package org.aspas.appserver.store;

import java.nio.file.Path;

/**
 * Where an appserver keeps what must survive its process, and how well.
 *
 * @param data the directory of its data, in which {@link JournalStore#make} has made a store
 * @param durability what its answers wait for
 */
public record StoreOptions(Path data, Durability durability) {}
