package org.aspas.emulab.sim.node;

import java.util.Arrays;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;

/**
 * Delays between places on a ring. Appservers stand at sites of their own, a continent apart at most; the bftservers stand
 * together at one site, and clients near their appserver.
 *
 * @param sites for each appserver and, last, for the cluster of bftservers: the place on a ring, in microseconds of delay;
 *     negative, the same distance to every other site
 * @param jitter the most that a single frame is late, in microseconds
 */
public record RingDelays(long[] sites, long jitter) implements Delays {
    private static final long LEAST = 250;
    private static final long SLOWEST_ORDER = 20 * Timeline.MILLI;

    /** Random sites, up to 80 ms apart one way. */
    public static RingDelays random(SeededRandom chance, int appservers) {
        long[] sites = new long[appservers + 1];
        for (int i = 0; i < sites.length; i++) {
            sites[i] = chance.between(0, 80 * Timeline.MILLI);
        }
        return new RingDelays(sites, chance.between(100, 20 * Timeline.MILLI));
    }

    /** The same round trip between any two sites. */
    public static RingDelays equal(int appservers, long roundTripMicros) {
        long[] sites = new long[appservers + 1];
        Arrays.fill(sites, -roundTripMicros / 2);
        return new RingDelays(sites, 0);
    }

    private int site(NodeId node) {
        return node.role() == Role.APPSERVER ? node.index() : sites.length - 1;
    }

    @Override
    public long between(NodeId from, NodeId to, SeededRandom chance) {
        int one = site(from);
        int other = site(to);
        long distance = sites[one] < 0 ? -sites[one] : Math.abs(sites[one] - sites[other]);
        return LEAST + (one == other ? 0 : distance) + chance.between(0, jitter);
    }

    @Override
    public long toClient(int client, NodeId server, SeededRandom chance) {
        return (sites[0] < 0 ? -sites[0] : 5 * Timeline.MILLI) + chance.between(0, jitter / 2);
    }

    @Override
    public long toOrder(int bftserver, SeededRandom chance) {
        return chance.between(SLOWEST_ORDER / 4, SLOWEST_ORDER);
    }

    @Override
    public long toDelivery(int bftserver, SeededRandom chance) {
        return chance.between(0, SLOWEST_ORDER);
    }

    @Override
    public long ordering() {
        return 0;
    }
}
