package org.aspas.appserver.port;

import org.aspas.certify.identity.NodeId;

/** The way to other servers. Thread-safe. */
public interface PeerTransport {
    /**
     * Sends one frame, as well as it can be done without waiting; what is lost is the core's to send again.
     *
     * @param frame the encoded frame; not changed afterwards
     */
    void send(NodeId to, byte[] frame);
}
