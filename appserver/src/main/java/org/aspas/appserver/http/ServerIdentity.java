package org.aspas.appserver.http;

import org.aspas.appserver.port.EntryStore;
import org.aspas.certify.identity.Descriptor;

/**
 * Which server answers.
 *
 * @param descriptor the deployment
 * @param index which appserver of it this is
 * @param version the software's version, for people
 * @param store where it keeps its records
 */
public record ServerIdentity(Descriptor descriptor, int index, String version, EntryStore store) {}
