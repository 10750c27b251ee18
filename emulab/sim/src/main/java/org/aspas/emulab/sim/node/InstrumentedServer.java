package org.aspas.emulab.sim.node;

import java.util.List;
import org.aspas.appserver.core.AppServerCore;
import org.aspas.appserver.core.state.Effect;
import org.aspas.appserver.core.state.Event;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Request;
import org.jspecify.annotations.Nullable;

/**
 * An appserver with a observed: one or two correct cores under one name, and a {@link ByzantineBehavior} between them and
 * everybody else. The simulator and the attacks on real sockets run it, each with its own {@link Shell}.
 *
 * <p>Until it attacks it is a correct server. All its cores are told the same, so that they stay equal. What the first one
 * wants is done; the behavior is only shown what servers send and the batches that leave. For one thread.
 */
public final class InstrumentedServer {
    private static final ByzantineBehavior.Exit NOWHERE = what -> {};

    /** What the server stands on. */
    public interface Shell extends ByzantineBehavior.Exit {
        /**
         * A core writes a record.
         *
         * @return whether it is durable at once; else {@link InstrumentedServer#persisted} is to be called once it is
         */
        boolean persist(int core, Effect.Persist record);

        /** A core has an image of what is certified kept in its base, if it has one. */
        void keep(int core, Effect.Keep image);

        /** A core has hashes of leaves kept, or wants them back by {@link InstrumentedServer#loaded}. */
        void leaves(int core, Effect.OfLeaves effect);

        /** A core wants of the shell what is neither sent nor written. */
        void other(Effect effect);
    }

    private final List<AppServerCore> cores;
    private final ObservedBehavior observed;
    private final ByzantineBehavior behavior;
    private final Shell shell;
    private boolean attacking;

    /**
     * A server that has just started.
     *
     * @param cores as many as the behavior has
     */
    public InstrumentedServer(List<AppServerCore> cores, ObservedBehavior observed, Shell shell) {
        this.cores = List.copyOf(cores);
        this.observed = observed;
        this.behavior = observed.behavior();
        this.shell = shell;
    }

    public AppServerCore first() {
        return cores.get(0);
    }

    /** Takes an event, and carries out what follows from it. */
    public void step(Event event) {
        attacking = observed.attacks().getAsBoolean();
        if (event instanceof Event.ClientFrame client) {
            client(client);
        } else if (event instanceof Event.NodeFrame node) {
            Frame shown = attacking ? behavior.incoming(node.from(), node.frame()) : node.frame();
            peer(node.from(), node.frame(), new Event.NodeFrame(node.from(), shown));
        } else if (event instanceof Event.NodeBatch node) {
            peer(node.from(), new Frame.Plain(node.batch().batch()), event);
        } else if (event instanceof Event.NodeConnected connected) {
            tell(connected.node(), event);
        } else if (event instanceof Event.NodeGone gone) {
            tell(gone.node(), event);
        } else {
            for (int core = 0; core < cores.size(); core++) {
                run(core, event);
            }
        }
        if (event instanceof Event.Tick && attacking) {
            behavior.tick(unasked());
        }
    }

    /** What a core wrote is durable. */
    public void persisted(int core, Event.Persisted event) {
        attacking = observed.attacks().getAsBoolean();
        run(core, event);
    }

    /** The operating system has what a core wrote. */
    public void written(int core, Event.Written event) {
        attacking = observed.attacks().getAsBoolean();
        run(core, event);
    }

    /** Hashes of leaves that a core wanted back are here, or are not to be had. */
    public void loaded(int core, Event.LeavesLoaded event) {
        attacking = observed.attacks().getAsBoolean();
        run(core, event);
    }

    private void client(Event.ClientFrame event) {
        int told = 0;
        for (int core = 0; core < cores.size(); core++) {
            if (!attacking || behavior.takes(core, event.connection(), event.frame())) {
                told++;
                run(core, event);
            }
        }
        if (told < cores.size()
                && event.frame() instanceof Frame.Sealed sealed
                && sealed.signed().message() instanceof Request) {
            observed.witness()
                    .misdeed(
                            told == 0
                                    ? "enters no REQUEST of a client"
                                    : "enters a client's REQUEST in one of two histories");
        }
    }

    private void peer(NodeId from, Frame frame, Event event) {
        tell(from, event);
        behavior.heard(from, frame, attacking ? unasked() : NOWHERE);
    }

    private void tell(NodeId peer, Event event) {
        for (int core = 0; core < cores.size(); core++) {
            if (!attacking || behavior.knows(core, peer)) {
                run(core, event);
            }
        }
    }

    private void run(int core, Event event) {
        Effect.Persist durable = carryOut(core, cores.get(core).step(event));
        while (durable != null) {
            durable = carryOut(core, cores.get(core).step(new Event.Persisted(durable.ticket())));
        }
    }

    /** Returns the last record that is durable at once; null without one. */
    private Effect.@Nullable Persist carryOut(int core, List<Effect> effects) {
        Effect.Persist durable = null;
        for (Effect effect : effects) {
            if (effect instanceof Effect.Persist record) {
                durable = shell.persist(core, record) ? record : durable;
            } else if (effect instanceof Effect.Keep image) {
                shell.keep(core, image);
            } else if (effect instanceof Effect.OfLeaves leaves) {
                shell.leaves(core, leaves);
            } else if (attacking || core == 0) {
                carryOut(core, effect);
            }
        }
        return durable;
    }

    private void carryOut(int core, Effect effect) {
        if (effect instanceof Effect.ToNode send) {
            wanted(core, new Outgoing.ToNode(send.to(), new Frame.Plain(send.message()), 0));
        } else if (effect instanceof Effect.ToNodeSigned send) {
            wanted(core, new Outgoing.ToNode(send.to(), new Frame.Sealed(send.signed()), 0));
        } else if (effect instanceof Effect.ToClient send) {
            wanted(core, new Outgoing.ToClient(send.connection(), new Frame.Plain(send.message())));
        } else if (effect instanceof Effect.ToClientSigned send) {
            wanted(core, new Outgoing.ToClient(send.connection(), new Frame.Sealed(send.signed())));
        } else if (!attacking || !(effect instanceof Effect.Raise)) {
            shell.other(effect);
        }
    }

    /** Lets the behavior do with what a core wants to send what it does, and judges it. */
    private void wanted(int core, Outgoing due) {
        if (!attacking) {
            if (due instanceof Outgoing.ToNode node
                    && node.frame() instanceof Frame.Plain plain
                    && plain.message() instanceof Batch) {
                behavior.wanted(core, due, NOWHERE);
            }
            shell.send(due);
        } else if (!(due instanceof Outgoing.ToNode node) || behavior.knows(core, node.to())) {
            MisbehaviorDetector judge = new MisbehaviorDetector(due, shell, observed.witness());
            behavior.wanted(core, due, judge);
            if (cores.size() == 1) {
                judge.over();
            }
        }
    }

    /** The exit for what no core wants to send. */
    private ByzantineBehavior.Exit unasked() {
        return new MisbehaviorDetector(null, shell, observed.witness());
    }

    /**
     * The one decision on what a misdeed is. It holds what leaves a server against the one thing that is due because a core wants
     * to send it. A correct server sends that thing once and in time, and nothing else. What leaves goes on to the next exit.
     */
    static final class MisbehaviorDetector implements ByzantineBehavior.Exit {
        private final @Nullable Outgoing due;
        private final ByzantineBehavior.Exit next;
        private final ObservedBehavior.Witness witness;
        private boolean sent;
        private boolean misdeed;

        /**
         * A judge of what leaves because of one wish of a core, or unasked.
         *
         * @param due what a core wants to send; null when none wants anything
         * @param next where what leaves goes
         * @param witness sees it, and is told what a correct server would not do
         */
        MisbehaviorDetector(@Nullable Outgoing due, ByzantineBehavior.Exit next, ObservedBehavior.Witness witness) {
            this.due = due;
            this.next = next;
            this.witness = witness;
        }

        @Override
        public void send(Outgoing what) {
            Frame frame = frame(what);
            if (frame == null) {
                tell("sends " + addressee(what) + " bytes that are no frame of its core");
            } else if (due == null || content(frame) != content(frame(due))) {
                String changed = due == null || sent ? "" : "changed ";
                tell("sends " + addressee(what) + " a " + changed + Wire.label(frame)
                        + (changed.isEmpty() ? " besides" : ""));
            } else {
                if (what instanceof Outgoing.ToNode node && node.late() > 0) {
                    tell("delays the " + Wire.label(frame) + " for " + addressee(what));
                } else if (sent) {
                    tell("sends " + addressee(what) + " a " + Wire.label(frame) + " again");
                }
                sent = true;
            }
            witness.sees(what);
            next.send(what);
        }

        /** Nothing more leaves because of the wish. To keep it back is a misdeed, unless something else was sent instead. */
        void over() {
            Outgoing wish = due;
            Frame frame = wish == null ? null : frame(wish);
            if (wish != null && frame != null && !sent && !misdeed) {
                tell("keeps back the " + Wire.label(frame) + " for " + addressee(wish));
            }
        }

        private void tell(String what) {
            misdeed = true;
            witness.misdeed(what);
        }

        private static String addressee(Outgoing what) {
            if (what instanceof Outgoing.ToNode node) {
                return node.to().toString();
            }
            return what instanceof Outgoing.BytesToNode node ? node.to().toString() : "a client";
        }

        private static @Nullable Frame frame(Outgoing what) {
            if (what instanceof Outgoing.ToNode node) {
                return node.frame();
            }
            return what instanceof Outgoing.ToClient client ? client.frame() : null;
        }

        /** What a frame wraps: the core's own object, if it is what the core wanted to send. */
        private static @Nullable Object content(@Nullable Frame frame) {
            return frame instanceof Frame.Sealed sealed
                    ? sealed.signed()
                    : frame instanceof Frame.Plain plain ? plain.message() : null;
        }
    }
}
