package org.aspas.emulab.sim.world;

import java.util.Locale;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;

/** Which two tiers a message travels between (paper §4.2: one network for each). */
public enum Tiers {
    /** Between a client and an appserver. */
    CLIENTS_APPSERVERS,
    /** Between two appservers. */
    APPSERVERS,
    /** Between an appserver and a bftserver. */
    APPSERVERS_BFTSERVERS,
    /** Between two bftservers. */
    BFTSERVERS;

    /** The pair of tiers of two servers. */
    public static Tiers of(NodeId one, NodeId other) {
        if (one.role() != other.role()) {
            return APPSERVERS_BFTSERVERS;
        }
        return one.role() == Role.APPSERVER ? APPSERVERS : BFTSERVERS;
    }

    /** As a world's file calls it. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
