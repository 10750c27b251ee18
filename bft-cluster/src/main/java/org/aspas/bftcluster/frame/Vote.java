package org.aspas.bftcluster.frame;

import java.nio.ByteBuffer;

/**
 * A vote of a replica in one instance of consensus.
 *
 * @param second whether it is the second vote (ACCEPT), not the first (WRITE)
 * @param epoch the epoch of the instance, from 0
 * @param hash the library's hash of the value that it is for; read only, compared by content
 */
public record Vote(boolean second, int instance, int epoch, ByteBuffer hash) {}
