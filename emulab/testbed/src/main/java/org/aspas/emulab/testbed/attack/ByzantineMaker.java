package org.aspas.emulab.testbed.attack;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.AppServerMachine;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.appserver.core.state.CoreSettings;
import org.aspas.appserver.core.state.CoreStatus;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.appserver.core.state.ObjectQueries;
import org.aspas.appserver.core.state.StoreState;
import org.aspas.appserver.core.state.StoredHistory;
import org.aspas.appserver.port.MachineMaker;
import org.aspas.appserver.port.PeerTransport;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Signed;
import org.aspas.emulab.sim.adversary.AdversaryContext;
import org.aspas.emulab.sim.adversary.Collusion;
import org.aspas.emulab.sim.adversary.FieldCoverage;
import org.aspas.emulab.sim.adversary.Roles;
import org.aspas.emulab.sim.engine.SeededRandom;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.node.InstrumentedServer;
import org.aspas.emulab.sim.node.ObservedBehavior;
import org.aspas.emulab.sim.node.Outgoing;

/**
 * Makes the machine of a Byzantine appserver. It takes up where the server's store ends, if there is one, and keeps nothing itself.
 *
 * @param begun whether it attacks by now; until then it is correct
 * @param witness sees what it does that a correct server would not do
 */
record ByzantineMaker(String role, long seed, BooleanSupplier begun, ObservedBehavior.Witness witness)
        implements MachineMaker {
    @Override
    public AppServerMachine make(CoreSettings settings, StoredHistory records, StoreState store, PeerTransport links) {
        long start = System.nanoTime();
        AdversaryContext context = new AdversaryContext(
                settings.self(),
                settings.sealer(),
                settings.quorums(),
                new SeededRandom(seed).stream("role " + settings.self()),
                () -> micros(start),
                begun,
                new FieldCoverage(),
                Collusion.alone(settings.sealer()));
        ObservedBehavior observed = new ObservedBehavior(Roles.server(role, context), begun, witness);
        return new ByzantineMachine(settings, records, store, observed, links, () -> micros(start));
    }

    private static long micros(long start) {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - start) + Timeline.SECOND;
    }

    /**
     * A Byzantine appserver as a machine: a {@link InstrumentedServer} whose sends become effects. Whatever a core wants to keep is
     * durable at once, as far as it knows, and nothing is kept. For the one thread that drives it.
     */
    private static final class ByzantineMachine implements AppServerMachine, InstrumentedServer.Shell {
        private static final int SIGNATURE_BYTES = 64;

        private final InstrumentedServer server;
        private final PeerTransport links;
        private final LongSupplier micros;
        private final PriorityQueue<Late> late = new PriorityQueue<>(Comparator.comparingLong(Late::due));
        private List<Effect> out = new ArrayList<>();

        private final Queue<Runnable> missing = new ArrayDeque<>();

        private record Late(long due, NodeId to, Frame frame) {}

        /**
         * A server that has just started.
         *
         * @param records what its store kept
         * @param store whether these are all that the server ever promised
         * @param links the way for bytes that are no frame
         * @param micros the time in microseconds
         */
        ByzantineMachine(
                CoreSettings settings,
                StoredHistory records,
                StoreState store,
                ObservedBehavior observed,
                PeerTransport links,
                LongSupplier micros) {
            this.links = links;
            this.micros = micros;
            List<AppServerCore> cores = IntStream.range(0, observed.behavior().cores())
                    .mapToObj(core -> AppServerCore.recover(settings, records, store))
                    .toList();
            this.server = new InstrumentedServer(cores, observed, this);
        }

        @Override
        public List<Effect> step(Event event) {
            out = new ArrayList<>();
            server.step(event);
            for (Runnable next = missing.poll(); next != null; next = missing.poll()) {
                next.run();
            }
            if (event instanceof Event.Tick) {
                sendLate();
            }
            return out;
        }

        private void sendLate() {
            long now = micros.getAsLong();
            for (Late next = late.peek(); next != null && next.due() <= now; next = late.peek()) {
                late.remove();
                node(next.to(), next.frame(), 0);
            }
        }

        @Override
        public CoreStatus status() {
            return server.first().status();
        }

        @Override
        public ObjectQueries objects() {
            return server.first().objects();
        }

        @Override
        public boolean persist(int core, Effect.Persist record) {
            return true;
        }

        @Override
        public void keep(int core, Effect.Keep image) {
            // It has no base.
        }

        /** Nothing is kept: it serves experiments that are shorter than retention. */
        @Override
        public void leaves(int core, Effect.OfLeaves effect) {
            if (effect instanceof Effect.LoadLeaves load) {
                missing.add(() -> server.loaded(core, new Event.LeavesLoaded(load.origin(), load.first(), null)));
            }
        }

        @Override
        public void other(Effect effect) {
            out.add(effect);
        }

        /** Frames become effects; bytes that are no frame go to the links at once. */
        @Override
        public void send(Outgoing what) {
            if (what instanceof Outgoing.ToNode node && node.late() > 0) {
                late.add(new Late(micros.getAsLong() + node.late(), node.to(), node.frame()));
            } else if (what instanceof Outgoing.ToNode node) {
                out.add(
                        node.frame() instanceof Frame.Sealed sealed
                                ? new Effect.ToNodeSigned(node.to(), sealed.signed())
                                : new Effect.ToNode(node.to(), ((Frame.Plain) node.frame()).message()));
            } else if (what instanceof Outgoing.BytesToNode node) {
                links.send(node.to(), node.bytes());
            } else if (what instanceof Outgoing.ToClient client) {
                out.add(toClient(client.connection(), client.frame()));
            } else if (what instanceof Outgoing.BytesToClient client) {
                out.add(bytes(client.connection(), client.bytes()));
            }
        }

        private static Effect toClient(ConnectionId connection, Frame frame) {
            return frame instanceof Frame.Sealed sealed
                    ? new Effect.ToClientSigned(connection, sealed.signed())
                    : new Effect.ToClient(connection, ((Frame.Plain) frame).message());
        }

        /** The door encodes frames itself, so bytes that are none travel as the payload of one. */
        private static Effect bytes(ConnectionId connection, byte[] bytes) {
            if (Codec.decode(bytes) instanceof Decoded.Accepted<Frame> accepted) {
                return toClient(connection, accepted.value());
            }
            Message any = new Refusal(0, false, Refusal.Reason.MALFORMED, "");
            return new Effect.ToClientSigned(connection, new Signed<>(any, bytes, new byte[SIGNATURE_BYTES]));
        }
    }
}
