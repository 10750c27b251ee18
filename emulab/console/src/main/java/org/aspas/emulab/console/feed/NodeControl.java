package org.aspas.emulab.console.feed;

import java.io.IOException;
import java.util.Set;
import org.aspas.certify.identity.NodeId;

/** Stops and starts the nodes of a deployment that run as processes on this machine. Thread-safe. */
public interface NodeControl {
    Set<NodeId> running() throws IOException;

    Set<NodeId> frozen();

    /** Kills a node. */
    void stop(NodeId node) throws IOException, InterruptedException;

    /** Starts a node, and returns when its process runs. */
    void start(NodeId node) throws IOException, InterruptedException;

    void freeze(NodeId node) throws IOException, InterruptedException;

    void thaw(NodeId node) throws IOException, InterruptedException;
}
