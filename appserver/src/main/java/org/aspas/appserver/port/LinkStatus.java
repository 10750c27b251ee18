package org.aspas.appserver.port;

import java.util.List;
import java.util.SortedMap;
import org.aspas.certify.identity.NodeId;

/** How the links to other servers are. Thread-safe. */
public interface LinkStatus {
    /** Whether this server, with those that it is linked to, makes a quorum of appservers now. */
    boolean joined();

    /** What has happened on the links, by name, for people and monitoring. */
    SortedMap<String, Long> counts();

    /** The other servers that frames can be sent to now, in order; none where that is not known. */
    default List<NodeId> linked() {
        return List.of();
    }
}
