package org.aspas.emulab.sim.world;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;

/**
 * One world, whole: how far apart its parties are and what goes wrong when. Immutable.
 *
 * <p>A round trip is half for each direction. Where the world names a network for two tiers, the sites of the parties do
 * not count. Nodes and clients beyond the last place of the file begin again at the first.
 *
 * @param about one sentence for people
 * @param sites by name, in the order of the file
 * @param networks round trips by pair of tiers
 * @param roundTrips round trips between sites
 * @param jitter how much longer a message may take, as a part of the one-way delay, 0 to 1
 * @param bitsPerSecond of each direction of each link; 0 for no bound
 * @param appservers the sites of appservers, by index
 * @param bftservers the sites of bftservers, by index
 * @param clients the sites of clients, by index
 * @param faults the timeline, in the order of the file
 */
public record WorldMap(
        String name,
        String about,
        Map<String, Site> sites,
        Map<Tiers, MillisRange> networks,
        Map<SitePair, Double> roundTrips,
        double jitter,
        long bitsPerSecond,
        List<String> appservers,
        List<String> bftservers,
        List<String> clients,
        List<WorldFault> faults) {
    /** By this part of the whole, the places of successive pairs are spread evenly (the golden ratio). */
    private static final double GOLDEN = 0.6180339887498949;

    private static final int MOST_NODES = 64;
    private static final int MICROS_DIGITS = 6;

    /** Copies the lists; the maps come from the reader alone. */
    public WorldMap {
        appservers = List.copyOf(appservers);
        bftservers = List.copyOf(bftservers);
        clients = List.copyOf(clients);
        faults = List.copyOf(faults);
    }

    /** The same without jitter and without faults. */
    public WorldMap steady() {
        return new WorldMap(
                name, about, sites, networks, roundTrips, 0, bitsPerSecond, appservers, bftservers, clients, List.of());
    }

    public LinkQuality between(NodeId from, NodeId to) {
        if (from.equals(to)) {
            return LinkQuality.NONE;
        }
        return quality(Tiers.of(from, to), pair(from, to), site(from), site(to));
    }

    /** The link between a client and an appserver, the same in both directions. */
    public LinkQuality toClient(int client, int appserver) {
        return quality(
                Tiers.CLIENTS_APPSERVERS,
                client * MOST_NODES + appserver,
                place(clients, client),
                place(appservers, appserver));
    }

    /** The appserver that a client begins with: the nearest one, and of equally near ones each in turn. */
    public int home(int client, int servers) {
        int best = client % servers;
        for (int step = 1; step < servers; step++) {
            int other = (client + step) % servers;
            if (toClient(client, other).delayMicros() < toClient(client, best).delayMicros()) {
                best = other;
            }
        }
        return best;
    }

    public Optional<WorldFault.Misbehave> misbehaviour(int appserver) {
        return faults.stream()
                .filter(WorldFault.Misbehave.class::isInstance)
                .map(WorldFault.Misbehave.class::cast)
                .filter(one -> one.node().index() == appserver)
                .findFirst();
    }

    /**
     * The first event of the timeline that never happens, and why; empty when all happen.
     *
     * @param micros how long the run lasts from the beginning of the timeline, in microseconds
     */
    public Optional<String> idle(Quorums quorums, long micros) {
        return faults.stream()
                .flatMap(fault -> idle(fault, quorums, micros).stream())
                .findFirst();
    }

    private static Optional<String> idle(WorldFault fault, Quorums quorums, long micros) {
        String event = event(fault) + " at " + seconds(fault.begins());
        if (fault.begins() >= micros) {
            return Optional.of(event + ", but the run ends at " + seconds(micros));
        }
        return nodes(fault).stream()
                .filter(node -> node.index() >= servers(node.role(), quorums))
                .findFirst()
                .map(node -> event + ", but there are " + servers(node.role(), quorums) + " of the kind of " + node);
    }

    private static int servers(Role role, Quorums quorums) {
        return role == Role.APPSERVER ? quorums.appservers() : quorums.bftservers();
    }

    private static Set<NodeId> nodes(WorldFault fault) {
        if (fault instanceof WorldFault.Freeze freeze) {
            return Set.of(freeze.node());
        } else if (fault instanceof WorldFault.Kill kill) {
            return Set.of(kill.node());
        } else if (fault instanceof WorldFault.Misbehave liar) {
            return Set.of(liar.node());
        }
        Set<NodeId> all = new TreeSet<>();
        if (fault instanceof WorldFault.Partition partition) {
            partition.groups().forEach(group -> all.addAll(group.nodes()));
        } else if (fault instanceof WorldFault.SlowLink slow) {
            all.addAll(slow.some().nodes());
            all.addAll(slow.others().nodes());
        }
        return all;
    }

    private static String event(WorldFault fault) {
        if (fault instanceof WorldFault.Freeze freeze) {
            return "freezes " + freeze.node();
        } else if (fault instanceof WorldFault.Kill kill) {
            return "kills " + kill.node();
        } else if (fault instanceof WorldFault.Misbehave liar) {
            return "makes " + liar.node() + " Byzantine";
        }
        return fault instanceof WorldFault.Partition ? "has a partition" : "slows a link";
    }

    private static String seconds(long micros) {
        return BigDecimal.valueOf(micros, MICROS_DIGITS).stripTrailingZeros().toPlainString() + " s";
    }

    /** The site of a node; empty where the world has none. */
    public Optional<Site> siteOf(NodeId node) {
        return site(node).map(sites::get);
    }

    /** The site of a client; empty where the world has none. */
    public Optional<Site> siteOfClient(int client) {
        return place(clients, client).map(sites::get);
    }

    /** The sites of one side of a pair of tiers. */
    List<String> places(Tiers tiers, boolean first) {
        return switch (tiers) {
            case CLIENTS_APPSERVERS -> first ? clients : appservers;
            case APPSERVERS -> appservers;
            case APPSERVERS_BFTSERVERS -> first ? appservers : bftservers;
            case BFTSERVERS -> bftservers;
        };
    }

    private Optional<String> site(NodeId node) {
        return place(node.role() == Role.APPSERVER ? appservers : bftservers, node.index());
    }

    private static Optional<String> place(List<String> places, int index) {
        return places.isEmpty() ? Optional.empty() : Optional.of(places.get(index % places.size()));
    }

    /** The same number for both directions. */
    private static int pair(NodeId one, NodeId other) {
        NodeId low = one.compareTo(other) < 0 ? one : other;
        NodeId high = low.equals(one) ? other : one;
        return low.index() * MOST_NODES + high.index();
    }

    private LinkQuality quality(Tiers tiers, int pair, Optional<String> from, Optional<String> to) {
        MillisRange range = networks.get(tiers);
        double roundTrip = range != null ? range.at(pair * GOLDEN % 1) : distance(from, to);
        long micros = Math.round(roundTrip * 500);
        return new LinkQuality(micros, Math.round(micros * jitter), bitsPerSecond);
    }

    private double distance(Optional<String> from, Optional<String> to) {
        if (from.isEmpty() || to.isEmpty()) {
            throw new IllegalStateException("world " + name + " has neither a network nor sites for a link");
        }
        return roundTrips.getOrDefault(SitePair.of(from.get(), to.get()), 0.0);
    }

    /**
     * From one time to another, in milliseconds.
     *
     * @param low 0 or more
     * @param high {@code low} or more
     */
    public record MillisRange(double low, double high) {
        double at(double part) {
            return low + part * (high - low);
        }
    }

    /**
     * Two sites, in the order of their names.
     *
     * @param one the lower name
     * @param other the higher name, or the same
     */
    public record SitePair(String one, String other) {
        /** The pair, in any order. */
        public static SitePair of(String one, String other) {
            return one.compareTo(other) <= 0 ? new SitePair(one, other) : new SitePair(other, one);
        }
    }
}
