package org.aspas.client.core.port;

import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * What a certified read proved of an object's elements as a whole.
 *
 * @param size the number of all elements
 * @param root the root of the tree of all elements: while it is the same, so are they
 * @param next where the next page begins; null when the read reached the end, or was for one element
 */
public record ElementsRead(long size, Hash root, @Nullable Hash next) {}
