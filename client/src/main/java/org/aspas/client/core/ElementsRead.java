package org.aspas.client.core;

import org.aspas.certify.identity.Hash;
import org.jspecify.annotations.Nullable;

/**
 * What a certified read proves about an object's elements as a whole. Immutable.
 *
 * @param size the number of elements
 * @param root the root of the tree of all elements, which changes exactly when they do
 * @param next where the next page begins; null when the read reached the end or was for one element
 */
public record ElementsRead(long size, Hash root, @Nullable Hash next) {}
