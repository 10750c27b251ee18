package org.aspas.emulab.sim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongBiFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.world.LinkQuality;
import org.aspas.emulab.sim.world.WorldFault;
import org.aspas.emulab.sim.world.WorldMap;

/**
 * The delays of a world. The order takes what BFT-SMaRt's three steps take between the places of the bftservers: the leader,
 * which is the first one, proposes; a bftserver writes when it has the proposal, accepts at a quorum of writes, and delivers
 * at a quorum of accepts.
 */
public final class WorldDelays implements Delays {
    private final WorldMap world;
    private final Quorums quorums;
    private final List<WorldFault.SlowLink> slow = new ArrayList<>();
    private long[] delivery;

    public WorldDelays(WorldMap world, Quorums quorums) {
        this.world = world;
        this.quorums = quorums;
        this.delivery = delivery();
    }

    /** Slows some links down, or does so no longer. */
    public void slow(WorldFault.SlowLink which, boolean begins) {
        if (begins) {
            slow.add(which);
        } else {
            slow.remove(which);
        }
        delivery = delivery();
    }

    private long[] delivery() {
        int members = quorums.bftservers();
        long[] proposed = IntStream.range(0, members)
                .mapToLong(member -> micros(0, member))
                .toArray();
        long[] accepting =
                atQuorum(members, quorums.bftserverQuorum(), (from, to) -> proposed[from] + micros(from, to));
        return atQuorum(members, quorums.bftserverQuorum(), (from, to) -> accepting[from] + micros(from, to));
    }

    private static long[] atQuorum(int members, int quorum, ToLongBiFunction<Integer, Integer> arrival) {
        return IntStream.range(0, members)
                .mapToLong(to -> IntStream.range(0, members)
                        .mapToLong(from -> arrival.applyAsLong(from, to))
                        .sorted()
                        .skip(quorum - 1L)
                        .findFirst()
                        .orElseThrow())
                .toArray();
    }

    private long micros(int from, int to) {
        return link(NodeId.bftserver(from), NodeId.bftserver(to)).delayMicros();
    }

    private LinkQuality link(NodeId from, NodeId to) {
        LinkQuality link = world.between(from, to);
        for (WorldFault.SlowLink one : slow) {
            if (one.slows(group -> group.has(world, from), group -> group.has(world, to))) {
                link = link.slower(one.byMicros());
            }
        }
        return link;
    }

    private static long delay(LinkQuality link, SeededRandom chance) {
        return link.delayMicros() + (link.jitterMicros() == 0 ? 0 : chance.between(0, link.jitterMicros()));
    }

    @Override
    public long between(NodeId from, NodeId to, SeededRandom chance) {
        return delay(link(from, to), chance);
    }

    @Override
    public long toClient(int client, NodeId server, SeededRandom chance) {
        LinkQuality link = world.toClient(client, server.index());
        for (WorldFault.SlowLink one : slow) {
            if (one.slows(group -> group.hasClient(world, client), group -> group.has(world, server))) {
                link = link.slower(one.byMicros());
            }
        }
        return delay(link, chance);
    }

    @Override
    public long toOrder(int bftserver, SeededRandom chance) {
        return delay(link(NodeId.bftserver(bftserver), NodeId.bftserver(0)), chance);
    }

    @Override
    public long toDelivery(int bftserver, SeededRandom chance) {
        return delivery[bftserver];
    }

    @Override
    public long ordering() {
        return delivery[0];
    }

    @Override
    public long entryNanos(NodeId from, NodeId to, long bytes) {
        return world.between(from, to).transmissionNanos(bytes);
    }

    @Override
    public long clientEntryNanos(int client, NodeId server, long bytes) {
        return world.toClient(client, server.index()).transmissionNanos(bytes);
    }

    @Override
    public String toString() {
        return "delays of " + world.name() + ", order "
                + LongStream.of(delivery).boxed().toList();
    }
}
