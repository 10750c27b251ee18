/**
 * The shell of the links to the other appservers and to the bftservers ({@link org.aspas.bftcluster.link.NodeLinks}).
 * Frames are decoded on threads of this package's own ({@link org.aspas.appserver.peer.PeerInbox}), in each peer's order, and
 * never on the I/O threads; bytes that are no message of the protocol, and what {@code SignatureCheck} finds signed wrongly, are
 * counted and dropped. Links are authenticated by TLS, so the core knows which server speaks; what it says is the core's to verify.
 */
@NullMarked
package org.aspas.appserver.peer;

import org.jspecify.annotations.NullMarked;
