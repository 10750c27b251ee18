package org.aspas.emulab.sim.node;

import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.machine.Ordering;
import org.aspas.certify.replica.Effect;
import org.aspas.certify.replica.ReplicaSettings;
import org.aspas.certify.wire.Decoded;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Share;
import org.aspas.emulab.sim.invariant.Fact;

/** Carries out what a bftserver's core wants said, as its behavior lets it, and tells the guarantees of it. */
final class ReplicaEffects {
    private final World world;
    private final NodeId id;
    private final Membership members;
    private final ReplicaBehavior behavior;
    private final Ordering order;
    private final BiConsumer<NodeId, Wire> exit;
    private final Consumer<Effect.Persist> record;
    private final IntConsumer convicted;

    ReplicaEffects(
            World world,
            ReplicaSettings settings,
            ReplicaBehavior behavior,
            Ordering order,
            BiConsumer<NodeId, Wire> exit,
            Consumer<Effect.Persist> record,
            IntConsumer convicted) {
        this.world = world;
        this.id = NodeId.bftserver(settings.replica());
        this.members = settings.members();
        this.behavior = behavior;
        this.order = order;
        this.exit = exit;
        this.record = record;
        this.convicted = convicted;
    }

    /** Time passes, in which the behavior may act by itself. */
    void act() {
        behavior.tick(order::submit);
    }

    void ordered(Wire command) {
        world.monitor().check(new Fact.Ordered(id.index(), command.command()));
        behavior.ordered(command);
    }

    /** A word came before the order has it. */
    void heard(Wire word) {
        behavior.heard(word, exit);
    }

    void carryOut(Effect effect) {
        if (effect instanceof Effect.Submit own) {
            behavior.submit(own.command(), order::submit);
            give(new Wire(own.command()));
        } else if (effect instanceof Effect.Relay relay) {
            world.monitor()
                    .check(new Fact.Relayed(
                            id.index(),
                            relay.from().index(),
                            relay.command(),
                            world.timeline().now()));
            behavior.submit(relay.command().bytes(), order::submit);
        } else if (effect instanceof Effect.ToAppserver send) {
            send(send.to(), new Wire(send.frame()));
        } else if (effect instanceof Effect.ToAppservers send) {
            Wire wire = new Wire(send.frame());
            for (int server = 0; server < members.quorums().appservers(); server++) {
                send(NodeId.appserver(server), wire);
            }
        } else if (effect instanceof Effect.TellConviction told) {
            world.monitor().check(new Fact.Convicted(id.index(), told.server()));
            convicted.accept(told.server());
        } else if (effect instanceof Effect.TellBrokenOrder) {
            world.monitor().check(new Fact.OrderBroken(id.index()));
        } else if (effect instanceof Effect.Persist persist) {
            record.accept(persist);
        }
    }

    /** As BFT-SMaRt's clients do, a bftserver gives its commands to all others; of them only words count before the order. */
    private void give(Wire command) {
        String label = command.label();
        if (!label.equals(Kind.ACCEPT.name()) && !label.equals(Kind.COMMIT.name())) {
            return;
        }
        for (int other = 0; other < members.bftservers().size(); other++) {
            NodeId to = NodeId.bftserver(other);
            if (!to.equals(id)) {
                behavior.toReplica(to, command, changed -> exit.accept(to, changed));
            }
        }
    }

    private void send(NodeId to, Wire wire) {
        behavior.toAppserver(to, wire, changed -> {
            if (changed.decoded() instanceof Decoded.Accepted<Frame> accepted
                    && accepted.value() instanceof Frame.Plain plain
                    && plain.message() instanceof Share share
                    && signed(share)) {
                world.monitor().check(new Fact.ShareSent(share));
            }
            exit.accept(to, changed);
        });
    }

    private boolean signed(Share share) {
        return share.replica() >= 0
                && share.replica() < members.bftservers().size()
                && share.content()
                        .verify(members.verifier(), members.bftservers().get(share.replica()), Domain.CERTIFICATE);
    }
}
