package org.aspas.emulab.sim.world;

import java.util.Locale;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;

/** Which two tiers a message travels between (paper §4.2: one network for each). */
public enum Tiers {
    CLIENTS_APPSERVERS,
    APPSERVERS,
    APPSERVERS_BFTSERVERS,
    BFTSERVERS;

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
