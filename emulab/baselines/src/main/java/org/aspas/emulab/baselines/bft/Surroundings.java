package org.aspas.emulab.baselines.bft;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.aspas.bftcluster.link.LinkDelay;
import org.aspas.bftcluster.node.BftServerOptions;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.client.api.ClientResources;
import org.aspas.client.net.DelayedTransport;
import org.aspas.client.net.RoundTripDelay;
import org.aspas.client.net.Transport;
import org.aspas.client.net.TransportDelay;
import org.aspas.emulab.testbed.cluster.EmulatedNetwork;
import org.aspas.emulab.workload.SessionSettings;
import org.jspecify.annotations.Nullable;

/**
 * Where contained replicas and those who ask them are in a world.
 *
 * @param network the world's distances; null for none
 */
record Surroundings(@Nullable EmulatedNetwork network, Placement placement) {
    private static final String HOST = "127.0.0.1";
    private static final int ON_THEIR_WAY = 4_096;

    /** Who stands where. */
    enum Placement {
        /** The replicas are the world's bftservers; they are as far from a client as the appserver that is nearest to it. */
        CLUSTER,
        /** The replicas stand where the world has its appservers. */
        SITES,
        /** The replicas are the world's bftservers, and appservers ask them. */
        BEHIND_APPSERVERS
    }

    /** How long a replica waits for another one to have a command ordered; the order takes several ways between replicas. */
    Duration patience() {
        return network != null && placement == Placement.SITES ? Duration.ofSeconds(2) : Duration.ofMillis(400);
    }

    BftServerOptions options(int replica) {
        EmulatedNetwork known = network;
        return new BftServerOptions(HOST, Map.of(), Optional.empty())
                .withDelay(known == null ? null : delay(known, replica));
    }

    private LinkDelay delay(EmulatedNetwork known, int replica) {
        LinkDelay asBftserver = known.delayOf(NodeId.bftserver(replica));
        LinkDelay asAppserver = known.delayOf(NodeId.appserver(replica));
        return peer -> {
            if (peer.role() == Role.APPSERVER) {
                // Clients that ask directly delay both directions themselves.
                return placement == Placement.BEHIND_APPSERVERS ? asBftserver.to(peer) : AtOnce.INSTANCE;
            }
            return placement == Placement.SITES ? asAppserver.to(NodeId.appserver(peer.index())) : asBftserver.to(peer);
        };
    }

    /** Delays a client's way to a replica as the world has it, or by the client's round trip. */
    Transport around(Transport direct, int replica, int appservers, SessionSettings client, ClientResources resources) {
        EmulatedNetwork known = network;
        TransportDelay delay;
        if (known != null && client.placed()) {
            int place = placement == Placement.SITES ? replica : known.world().home(client.client(), appservers);
            delay = known.delayOf(client.client(), place);
        } else if (client.roundTrip().isZero()) {
            return direct;
        } else {
            delay = new RoundTripDelay(client.roundTrip(), resources.scheduler());
        }
        return new DelayedTransport(direct, delay, resources.executor(), ON_THEIR_WAY);
    }

    /** A way that takes no time. */
    private enum AtOnce implements LinkDelay.Way {
        INSTANCE;

        @Override
        public long due(long sent, int bytes) {
            return sent;
        }

        @Override
        public long open(long now) {
            return now;
        }

        @Override
        public void left(long sent, long due, long now) {
            // Nothing was asked, so nothing is measured.
        }

        @Override
        public void wake(long moment, Runnable task) {
            CompletableFuture.delayedExecutor(Math.max(0, moment - System.nanoTime()), TimeUnit.NANOSECONDS)
                    .execute(task);
        }
    }
}
