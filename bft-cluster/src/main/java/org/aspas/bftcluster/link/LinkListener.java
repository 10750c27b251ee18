package org.aspas.bftcluster.link;

import org.aspas.certify.identity.NodeId;

/**
 * Told what happens on a node's links. The methods are called on I/O threads, possibly several at once; for one peer,
 * frames arrive in order. A method must hand over and return: one that blocks holds back all peers of the same I/O thread.
 * Who cannot take more of a peer calls {@link NodeLinks#pause}.
 */
public interface LinkListener {
    /** The connection that this node dialled is up: from now on frames can be sent to the peer. */
    void onConnected(NodeId peer);

    /** The connection that this node dialled is gone; it is being dialled again. */
    void onDisconnected(NodeId peer);

    /**
     * A frame from an authenticated peer.
     *
     * @param peer who sent it, by its TLS key
     * @param frame at least one byte; the receiver owns the array
     */
    void onFrame(NodeId peer, byte[] frame);
}
