package org.aspas.emulab.sim.network;

import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.engine.Timeline;

/**
 * One-way delays between places. Appservers stand at sites of their own, a continent apart at most; the bftservers stand
 * together at one site.
 *
 * @param sites for each appserver and, last, for the cluster of bftservers: the place on a ring, in microseconds of delay
 * @param jitter the most that a single frame is late, in microseconds
 */
public record Delays(long[] sites, long jitter) {
    private static final long LEAST = 250;

    /** Random sites, up to 80 ms apart one way. */
    public static Delays random(Chance chance, int appservers) {
        long[] sites = new long[appservers + 1];
        for (int i = 0; i < sites.length; i++) {
            sites[i] = chance.between(0, 80 * Timeline.MILLI);
        }
        return new Delays(sites, chance.between(100, 20 * Timeline.MILLI));
    }

    /** The same round trip between any two sites. */
    public static Delays equal(int appservers, long roundTripMicros) {
        long[] sites = new long[appservers + 1];
        java.util.Arrays.fill(sites, -roundTripMicros / 2);
        return new Delays(sites, 0);
    }

    private int site(NodeId node) {
        return node.role() == Role.APPSERVER ? node.index() : sites.length - 1;
    }

    /** How long a frame takes. */
    long between(NodeId from, NodeId to, Chance chance) {
        int one = site(from);
        int other = site(to);
        long distance = sites[one] < 0 ? -sites[one] : Math.abs(sites[one] - sites[other]);
        return LEAST + (one == other ? 0 : distance) + chance.between(0, jitter);
    }

    /** How long a frame takes between a client and the appserver near which it stands. */
    long toClient(Chance chance) {
        return (sites[0] < 0 ? -sites[0] : 5 * Timeline.MILLI) + chance.between(0, jitter / 2);
    }
}
