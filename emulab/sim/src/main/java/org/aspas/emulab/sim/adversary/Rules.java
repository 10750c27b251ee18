package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Signed;
import org.aspas.emulab.sim.node.ByzantineBehavior;
import org.aspas.emulab.sim.node.Outgoing;
import org.aspas.emulab.sim.node.ReplicaBehavior;
import org.aspas.emulab.sim.node.Wire;

/**
 * A Byzantine appserver or bftserver as a list of rules on the messages that its correct core wants to send, such as {@code
 * new Rules(context).on(Batch.class).to(APPSERVERS).drop()}. The first rule that fits a message decides what becomes of it; without one it
 * leaves unchanged. What a party hears, and the passing of time, can have rules too.
 */
final class Rules implements ByzantineBehavior, ReplicaBehavior {
    /** Where a message goes. */
    enum To {
        APPSERVERS,
        BFTSERVERS,
        CLIENTS,
        /** Into the total order, as a command. */
        ORDER
    }

    /**
     * A message that a core wants to send.
     *
     * @param index of the server that it goes to, below zero for a client or the order
     * @param connection to the client, if it goes to one
     * @param exit where frames leave; the number is the delay in microseconds, which only an appserver can choose
     * @param bytes where anything else leaves
     */
    record Due(
            AdversaryContext context,
            Frame frame,
            To to,
            int index,
            ConnectionId connection,
            ObjLongConsumer<Frame> exit,
            Consumer<byte[]> bytes) {
        byte[] encoded() {
            return Codec.encode(frame);
        }

        void pass() {
            exit.accept(frame, 0);
        }

        /** Sends another message to the same receiver, signed by the party if messages of its kind are signed. */
        void send(Message other) {
            exit.accept(context.frame(other), 0);
        }
    }

    /** A frame that another server sent. */
    record Heard(NodeId from, Frame frame, Exit exit) {}

    /** The order, into which a bftserver can put commands unasked. */
    record Order(AdversaryContext context, Consumer<byte[]> bytes) {
        void send(Message command) {
            bytes.accept(Codec.encode(context.frame(command)));
        }
    }

    private record Rule<T>(Predicate<T> fits, Consumer<T> act) {}

    private final AdversaryContext context;
    private final List<Rule<Due>> rules = new ArrayList<>();
    private final List<Rule<Heard>> hearing = new ArrayList<>();
    private final List<BiConsumer<ConnectionId, Message>> asked = new ArrayList<>();
    private final List<Consumer<Exit>> ticks = new ArrayList<>();
    private final List<Consumer<Frame>> ordered = new ArrayList<>();
    private final List<Consumer<Order>> steps = new ArrayList<>();

    Rules(AdversaryContext context) {
        this.context = context;
    }

    /** Begins a rule on what the core wants to send. */
    <M extends Message> On<M> on(Class<M> type) {
        return new On<>(type);
    }

    /** A rule that is not complete yet. */
    final class On<M extends Message> {
        private final Class<M> type;
        private Predicate<Due> fits;

        On(Class<M> type) {
            this.type = type;
            this.fits = due -> type.isInstance(due.frame().message());
        }

        On<M> to(To... some) {
            List<To> ways = List.of(some);
            return where(due -> ways.contains(due.to()));
        }

        On<M> where(Predicate<Due> also) {
            fits = fits.and(also);
            return this;
        }

        On<M> when(Predicate<M> holds) {
            return where(due -> holds.test(type.cast(due.frame().message())));
        }

        /** Only what travels without a signature of its own. */
        On<M> unsigned() {
            return where(due -> due.frame() instanceof Frame.Plain);
        }

        /** By chance, which is drawn only for what fits so far. */
        On<M> sometimes(double probability) {
            return where(due -> context.chance().happens(probability));
        }

        Rules act(BiConsumer<M, Due> act) {
            rules.add(new Rule<>(fits, due -> act.accept(type.cast(due.frame().message()), due)));
            return Rules.this;
        }

        /** Lets it pass, after the party has seen it. */
        Rules note(Consumer<M> act) {
            return act((message, due) -> {
                act.accept(message);
                due.pass();
            });
        }

        Rules drop() {
            return act((message, due) -> {});
        }

        /** Sends another message instead. */
        Rules replace(Function<M, ? extends Message> other) {
            return act((message, due) -> due.send(other.apply(message)));
        }

        /** Sends it so many microseconds later. */
        Rules delay(LongSupplier micros) {
            return act((message, due) -> due.exit().accept(due.frame(), micros.getAsLong()));
        }
    }

    /** Adds what happens when another server's message is heard. */
    <M extends Message> Rules onHeard(Class<M> type, BiConsumer<M, Heard> act) {
        hearing.add(new Rule<>(
                heard -> type.isInstance(heard.frame().message()),
                heard -> act.accept(type.cast(heard.frame().message()), heard)));
        return this;
    }

    /** Adds what an appserver does when a client's message comes; its core gets it besides. */
    Rules onAsked(BiConsumer<ConnectionId, Message> act) {
        asked.add(act);
        return this;
    }

    /** Adds what an appserver does as time passes. */
    Rules onTick(Consumer<Exit> act) {
        ticks.add(act);
        return this;
    }

    /** The same, at most once in so many microseconds. */
    Rules onTick(long pause, Consumer<Exit> act) {
        AtomicLong last = new AtomicLong(Long.MIN_VALUE / 2);
        return onTick(exit -> {
            long now = context.now().getAsLong();
            if (now - last.get() >= pause) {
                last.set(now);
                act.accept(exit);
            }
        });
    }

    /** Adds what happens when a command comes out of the order. */
    Rules onOrdered(Consumer<Frame> act) {
        ordered.add(act);
        return this;
    }

    /** Adds what a bftserver does as time passes: it can submit commands to the order. */
    Rules onStep(Consumer<Order> act) {
        steps.add(act);
        return this;
    }

    private void decide(Due due) {
        for (Rule<Due> rule : rules) {
            if (rule.fits().test(due)) {
                rule.act().accept(due);
                return;
            }
        }
        due.pass();
    }

    private static To to(NodeId server) {
        return server.role() == Role.APPSERVER ? To.APPSERVERS : To.BFTSERVERS;
    }

    // ---- As an appserver ----

    @Override
    public void toNode(int core, NodeId to, Frame frame, Exit exit) {
        decide(new Due(
                context,
                frame,
                to(to),
                to.index(),
                ConnectionId.NONE,
                (other, late) -> exit.node(to, other, late),
                other -> exit.nodeBytes(to, other)));
    }

    @Override
    public void toClient(int core, ConnectionId connection, Message message, Exit exit) {
        toClient(connection, new Frame.Plain(message), exit);
    }

    @Override
    public void toClientSigned(int core, ConnectionId connection, Signed<? extends Message> signed, Exit exit) {
        toClient(connection, new Frame.Sealed(signed), exit);
    }

    private void toClient(ConnectionId connection, Frame frame, Exit exit) {
        decide(new Due(
                context,
                frame,
                To.CLIENTS,
                -1,
                connection,
                (other, late) -> exit.send(new Outgoing.ToClient(connection, other)),
                other -> exit.clientBytes(connection, other)));
    }

    @Override
    public void heard(NodeId from, Frame frame, Exit exit) {
        Heard heard = new Heard(from, frame, exit);
        hearing.stream()
                .filter(rule -> rule.fits().test(heard))
                .forEach(rule -> rule.act().accept(heard));
    }

    @Override
    public boolean takes(int core, ConnectionId connection, Frame frame) {
        asked.forEach(act -> act.accept(connection, frame.message()));
        return true;
    }

    @Override
    public void tick(Exit exit) {
        ticks.forEach(act -> act.accept(exit));
    }

    // ---- As a bftserver ----

    @Override
    public void toAppserver(NodeId to, Wire wire, Consumer<Wire> exit) {
        toServer(to, wire, exit);
    }

    @Override
    public void toReplica(NodeId to, Wire word, Consumer<Wire> exit) {
        toServer(to, word, exit);
    }

    private void toServer(NodeId to, Wire wire, Consumer<Wire> exit) {
        Frame frame = frame(wire);
        decide(new Due(
                context,
                frame,
                to(to),
                to.index(),
                ConnectionId.NONE,
                (other, late) -> exit.accept(other == frame ? wire : Wire.of(other)),
                other -> exit.accept(new Wire(other))));
    }

    @Override
    public void submit(byte[] command, Consumer<byte[]> exit) {
        Frame frame = frame(new Wire(command));
        decide(new Due(
                context,
                frame,
                To.ORDER,
                -1,
                ConnectionId.NONE,
                (other, late) -> exit.accept(other == frame ? command : Codec.encode(other)),
                exit));
    }

    /** What a correct core sends is a frame. */
    private static Frame frame(Wire wire) {
        return wire.command().frame().orElseThrow();
    }

    @Override
    public void ordered(Wire command) {
        command.command().frame().ifPresent(frame -> ordered.forEach(act -> act.accept(frame)));
    }

    @Override
    public void tick(Consumer<byte[]> exit) {
        steps.forEach(act -> act.accept(new Order(context, exit)));
    }
}
