package org.aspas.emulab.lab.attack;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.AppServerMachine;
import org.aspas.appserver.core.ConnectionId;
import org.aspas.appserver.core.CoreSettings;
import org.aspas.appserver.core.CoreStatus;
import org.aspas.appserver.core.Effect;
import org.aspas.appserver.core.Event;
import org.aspas.appserver.port.PeerTransport;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Decoded;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.durable.Ticket;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.message.Batch;
import org.aspas.certify.message.ClientSigned;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Refusal;
import org.aspas.certify.message.Signed;
import org.aspas.emulab.sim.node.ServerConduct;
import org.jspecify.annotations.Nullable;

/**
 * A Byzantine appserver as a machine: correct cores, and a conduct between them and everybody else. Until the attack
 * begins it is a correct server: all its cores are told the same, so that they stay equal, and what the first one says goes
 * out; the conduct is shown the batches that pass. It keeps nothing durable. For the one thread that drives it.
 */
final class ByzantineMachine implements AppServerMachine {
    private static final int SIGNATURE_BYTES = 64;
    private static final ServerConduct.Exit NOWHERE = new Nowhere();

    private final ServerConduct conduct;
    private final PeerTransport links;
    private final BooleanSupplier begun;
    private final LongSupplier micros;
    private final Misdeeds misdeeds;
    private final List<Life> lives = new ArrayList<>();
    private final Exit exit = new Exit();
    private final PriorityQueue<Late> late = new PriorityQueue<>(Comparator.comparingLong(Late::due));
    private List<Effect> out = new ArrayList<>();
    private boolean attacking;

    private record Late(long due, NodeId to, Frame frame) {}

    /**
     * A server that has just started.
     *
     * @param settings its own
     * @param conduct how it behaves once the attack has begun
     * @param links the way for bytes that are no frame
     * @param begun whether the attack has begun; asked before each event
     * @param micros the time in microseconds
     * @param misdeeds told of what a correct server would not do
     */
    ByzantineMachine(
            CoreSettings settings,
            ServerConduct conduct,
            PeerTransport links,
            BooleanSupplier begun,
            LongSupplier micros,
            Misdeeds misdeeds) {
        this.conduct = conduct;
        this.links = links;
        this.begun = begun;
        this.micros = micros;
        this.misdeeds = misdeeds;
        for (int core = 0; core < conduct.cores(); core++) {
            lives.add(new Life(core, AppServerCore.recover(settings, List.of())));
        }
    }

    @Override
    public List<Effect> step(Event event) {
        attacking = begun.getAsBoolean();
        out = new ArrayList<>();
        if (event instanceof Event.ClientFrame client) {
            client(client);
        } else if (event instanceof Event.NodeFrame node) {
            peer(node.from(), node.frame(), event);
        } else if (event instanceof Event.NodeBatch node) {
            peer(node.from(), new Frame.Plain(node.batch().batch()), event);
        } else if (event instanceof Event.NodeConnected connected) {
            tell(connected.node(), event);
        } else if (event instanceof Event.NodeGone gone) {
            tell(gone.node(), event);
        } else {
            lives.forEach(life -> life.step(event));
        }
        if (event instanceof Event.Tick && attacking) {
            conduct.tick(new UnaskedSends(exit, misdeeds));
            sendLate();
        }
        return out;
    }

    private void client(Event.ClientFrame event) {
        int told = 0;
        for (Life life : lives) {
            if (!attacking || conduct.takes(life.index, event.connection(), event.frame())) {
                told++;
                life.step(event);
            }
        }
        if (told < lives.size()
                && event.frame() instanceof Frame.Sealed sealed
                && sealed.signed().message() instanceof ClientSigned) {
            misdeeds.done("enters a client's " + name(event.frame()) + " in one of two histories");
        }
    }

    private void peer(NodeId from, Frame frame, Event event) {
        Event shown = attacking && event instanceof Event.NodeFrame
                ? new Event.NodeFrame(from, conduct.incoming(from, frame))
                : event;
        tell(from, shown);
        conduct.heard(from, frame, attacking ? new UnaskedSends(exit, misdeeds) : NOWHERE);
    }

    private void tell(NodeId peer, Event event) {
        for (Life life : lives) {
            if (!attacking || conduct.knows(life.index, peer)) {
                life.step(event);
            }
        }
    }

    private void sendLate() {
        long now = micros.getAsLong();
        for (Late next = late.peek(); next != null && next.due() <= now; next = late.peek()) {
            late.remove();
            exit.node(next.to(), next.frame(), 0);
        }
    }

    @Override
    public CoreStatus status() {
        return lives.get(0).core.status();
    }

    static String name(Frame frame) {
        return frame instanceof Frame.Sealed sealed
                ? sealed.signed().message().kind().name()
                : ((Frame.Plain) frame).message().kind().name();
    }

    /** One core. Whatever it wants to keep is durable at once, as far as it knows. */
    private final class Life {
        final int index;
        final AppServerCore core;

        Life(int index, AppServerCore core) {
            this.index = index;
            this.core = core;
        }

        void step(Event event) {
            Ticket durable = carryOut(core.step(event));
            while (durable != null) {
                durable = carryOut(core.step(new Event.Persisted(durable)));
            }
        }

        private @Nullable Ticket carryOut(List<Effect> effects) {
            Ticket durable = null;
            for (Effect effect : effects) {
                if (effect instanceof Effect.Persist persist) {
                    durable = persist.ticket();
                } else if (attacking) {
                    attack(effect);
                } else if (index == 0) {
                    show(effect);
                    out.add(effect);
                }
            }
            return durable;
        }

        private void show(Effect effect) {
            if (effect instanceof Effect.ToNode toNode && toNode.message() instanceof Batch) {
                conduct.toNode(index, toNode.to(), new Frame.Plain(toNode.message()), NOWHERE);
            }
        }

        private void attack(Effect effect) {
            if (effect instanceof Effect.ToNode toNode) {
                node(toNode.to(), new Frame.Plain(toNode.message()));
            } else if (effect instanceof Effect.ToNodeSigned toNode) {
                node(toNode.to(), new Frame.Sealed(toNode.signed()));
            } else if (effect instanceof Effect.ToClient toClient) {
                Judged judged = new Judged(new Frame.Plain(toClient.message()), "a client", exit, misdeeds);
                conduct.toClient(index, toClient.connection(), toClient.message(), judged);
                judged.over(lives.size() == 1);
            } else if (effect instanceof Effect.ToClientSigned toClient) {
                Judged judged = new Judged(new Frame.Sealed(toClient.signed()), "a client", exit, misdeeds);
                conduct.toClientSigned(index, toClient.connection(), toClient.signed(), judged);
                judged.over(lives.size() == 1);
            } else if (!(effect instanceof Effect.Raise)) {
                out.add(effect);
            }
        }

        private void node(NodeId to, Frame frame) {
            if (conduct.knows(index, to)) {
                Judged judged = new Judged(frame, to.toString(), exit, misdeeds);
                conduct.toNode(index, to, frame, judged);
                judged.over(lives.size() == 1);
            }
        }
    }

    /** What leaves the server becomes effects; bytes that are no frame go to the links at once. */
    private final class Exit implements ServerConduct.Exit {
        @Override
        public void node(NodeId to, Frame frame, long micro) {
            if (micro > 0) {
                late.add(new Late(micros.getAsLong() + micro, to, frame));
            } else if (frame instanceof Frame.Sealed sealed) {
                out.add(new Effect.ToNodeSigned(to, sealed.signed()));
            } else {
                out.add(new Effect.ToNode(to, ((Frame.Plain) frame).message()));
            }
        }

        @Override
        public void nodeBytes(NodeId to, byte[] bytes) {
            links.send(to, bytes);
        }

        @Override
        public void client(ConnectionId connection, Message message) {
            out.add(new Effect.ToClient(connection, message));
        }

        @Override
        public void clientSigned(ConnectionId connection, Signed<? extends Message> signed) {
            out.add(new Effect.ToClientSigned(connection, signed));
        }

        /** The door encodes frames itself, so bytes that are none travel as the payload of one. */
        @Override
        public void clientBytes(ConnectionId connection, byte[] bytes) {
            if (Codec.decode(bytes) instanceof Decoded.Accepted<Frame> accepted) {
                out.add(
                        accepted.value() instanceof Frame.Sealed sealed
                                ? new Effect.ToClientSigned(connection, sealed.signed())
                                : new Effect.ToClient(connection, ((Frame.Plain) accepted.value()).message()));
            } else {
                Message any = new Refusal(0, false, Refusal.Reason.MALFORMED, "");
                out.add(new Effect.ToClientSigned(connection, new Signed<>(any, bytes, new byte[SIGNATURE_BYTES])));
            }
        }
    }

    /** Where what is only shown goes. */
    private static final class Nowhere implements ServerConduct.Exit {
        @Override
        public void node(NodeId to, Frame frame, long micro) {}

        @Override
        public void nodeBytes(NodeId to, byte[] bytes) {}

        @Override
        public void client(ConnectionId connection, Message message) {}

        @Override
        public void clientSigned(ConnectionId connection, Signed<? extends Message> signed) {}

        @Override
        public void clientBytes(ConnectionId connection, byte[] bytes) {}
    }

    /** Is told what a correct server would not have done. */
    interface Misdeeds {
        /** One misdeed, as a verb phrase whose subject is the server. */
        void done(String what);
    }
}
