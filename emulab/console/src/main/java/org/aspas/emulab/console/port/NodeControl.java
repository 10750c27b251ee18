package org.aspas.emulab.console.port;

import java.io.IOException;
import java.util.Set;
import org.aspas.certify.identity.NodeId;

/** Stops and starts the nodes of a deployment that run as processes of this machine. Thread-safe. */
public interface NodeControl {
    /** The nodes that have a process. */
    Set<NodeId> running() throws IOException;

    /** The nodes whose process stands still. */
    Set<NodeId> frozen();

    /** Kills a node. */
    void stop(NodeId node) throws IOException, InterruptedException;

    /** Starts a node; returns when its process has begun. */
    void start(NodeId node) throws IOException, InterruptedException;

    /** Lets a node's process stand still. */
    void freeze(NodeId node) throws IOException, InterruptedException;

    /** Lets it go on. */
    void thaw(NodeId node) throws IOException, InterruptedException;
}
