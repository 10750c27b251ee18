package org.aspas.emulab.sim.node;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.aspas.certify.codec.Codec;
import org.aspas.certify.codec.Decoded;
import org.aspas.certify.codec.Frame;
import org.aspas.certify.codec.Sealer;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Role;
import org.aspas.certify.machine.CertificationMachine;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.message.Accept;
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Share;
import org.aspas.certify.message.Signed;
import org.aspas.certify.message.Stable;
import org.aspas.certify.message.Tick;
import org.aspas.certify.message.VertObft;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.network.Network;
import org.aspas.emulab.sim.network.Wire;

/**
 * One bftserver: the certification machine, a gateway that takes commands from appservers, and a notary that signs one
 * content per number for ever. What it has signed survives its crashes; its machine is taught again by the others.
 */
public final class ReplicaNode implements Network.Endpoint, Sequencer.Member {
    private static final long FALLBACK = 400 * Timeline.MILLI;
    private static final long REPEAT = Timeline.SECOND;
    private static final int REPEAT_VOTE_AFTER = 20;
    private static final int RETAINED_SHARES = 64;
    private static final int REMEMBERED = 4096;

    private final int index;
    private final NodeId id;
    private final World world;
    private final Membership members;
    private final Sealer sealer;
    private final Sequencer order;
    private final ReplicaConduct conduct;
    private final LocalClock clock;
    private final long tickMillis;
    private final Supplier<CertificationMachine> fresh;
    private final Set<NodeId> linked = new HashSet<>();
    private final Map<Hash, Boolean> seen = new LinkedHashMap<>();
    private final TreeMap<Long, Hash> signed = new TreeMap<>();
    private final TreeMap<Long, Wire> shares = new TreeMap<>();
    private CertificationMachine machine;
    private boolean up;
    private boolean cutOff;
    private boolean blank;
    private long incarnation;
    private long voted;
    private int silentPeriods;
    private List<Wire> question = List.of();

    /**
     * A bftserver that does not run yet.
     *
     * @param world what all parties share
     * @param index which bftserver it is
     * @param members whose signatures count
     * @param sealer its key
     * @param order the order it takes part in
     * @param conduct how it behaves
     * @param clock its own idea of time
     * @param tickMillis the length of a step of ordered time
     * @param fresh makes a machine before its first command
     */
    public ReplicaNode(
            World world,
            int index,
            Membership members,
            Sealer sealer,
            Sequencer order,
            ReplicaConduct conduct,
            LocalClock clock,
            long tickMillis,
            Supplier<CertificationMachine> fresh) {
        this.world = world;
        this.index = index;
        this.id = NodeId.bftserver(index);
        this.members = members;
        this.sealer = sealer;
        this.order = order;
        this.conduct = conduct;
        this.clock = clock;
        this.tickMillis = tickMillis;
        this.fresh = fresh;
        this.machine = fresh.get();
        order.join(this);
    }

    /** Whether it runs. */
    public boolean up() {
        return up;
    }

    /** The number of the newest accepted content. */
    public long certificate() {
        return machine.certificate();
    }

    /** What its machine is doing, for whoever has to explain a violation. */
    public String describe() {
        return id + ": tick " + machine.tick() + ", certificate " + machine.certificate() + ", question "
                + machine.openQuestion() + ", acceptance "
                + machine.openAcceptance().map(Outcome.Decided::content) + ", rejections " + machine.rejections();
    }

    /** Starts for the first time. */
    public void start() {
        up = true;
        long mine = ++incarnation;
        world.network().start(id, this);
        vote(mine);
        repeat(mine);
    }

    /** Ends at once. */
    public void crash() {
        up = false;
        incarnation++;
        order.leave(index);
        world.network().stop(id);
        linked.clear();
        seen.clear();
        question = List.of();
        machine = fresh.get();
        blank = true;
    }

    /** Starts again, without the machine's state and with what it signed. */
    public void restart() {
        up = true;
        order.enter(index, true);
        start();
    }

    /** Cuts it off from the other bftservers, or lets it take part again. */
    public void cutOff(boolean cut) {
        cutOff = cut;
        if (cut) {
            order.leave(index);
        } else {
            order.enter(index, blank);
        }
    }

    @Override
    public boolean ready() {
        return up && !cutOff;
    }

    // ---- Links ----

    @Override
    public void connected(NodeId peer) {
        linked.add(peer);
        shares.values().forEach(share -> send(peer, share));
        question.forEach(open -> send(peer, open));
    }

    @Override
    public void gone(NodeId peer) {
        linked.remove(peer);
    }

    private void send(NodeId to, Wire wire) {
        conduct.toAppserver(to, wire, changed -> {
            if (changed.decoded() instanceof Decoded.Accepted<Frame> accepted
                    && accepted.value() instanceof Frame.Plain plain
                    && plain.message() instanceof Share share
                    && signed(share)) {
                world.monitor().tell(invariant -> invariant.onShare(share));
            }
            world.network().send(id, to, changed, 0);
        });
    }

    private boolean signed(Share share) {
        return share.replica() >= 0
                && share.replica() < members.bftservers().size()
                && share.content()
                        .verify(members.verifier(), members.bftservers().get(share.replica()), Domain.CERTIFICATE);
    }

    private void toAppservers(Wire wire) {
        for (int server = 0; server < members.quorums().appservers(); server++) {
            send(NodeId.appserver(server), wire);
        }
    }

    // ---- The gateway ----

    @Override
    public void frame(NodeId from, Wire wire) {
        if (from.role() != Role.APPSERVER || !admissible(from, wire)) {
            return;
        }
        byte[] command = wire.bytes();
        Hash hash = Hash.sha256(command);
        if (!remember(hash, false)) {
            return;
        }
        if (Math.floorMod(hash.hashCode(), members.quorums().bftservers()) == index) {
            submit(command);
        } else {
            long mine = incarnation;
            world.timeline().after(FALLBACK, () -> {
                if (mine == incarnation && !seen.getOrDefault(hash, true)) {
                    submit(command);
                }
            });
        }
    }

    private boolean admissible(NodeId from, Wire wire) {
        if (!(wire.decoded() instanceof Decoded.Accepted<Frame> accepted)
                || !(accepted.value() instanceof Frame.Sealed sealed)) {
            return false;
        }
        Signed<? extends Message> words = sealed.signed();
        Message message = words.message();
        return message instanceof VertObft report
                ? report.server() == from.index() && by(from, words, Domain.VERTOBFT)
                : message instanceof Stable stable && stable.server() == from.index() && by(from, words, Domain.STABLE);
    }

    private boolean by(NodeId from, Signed<?> words, Domain domain) {
        return words.verify(members.verifier(), members.appservers().get(from.index()), domain);
    }

    private boolean remember(Hash hash, boolean ordered) {
        Boolean known = seen.get(hash);
        if (known == null || ordered) {
            seen.put(hash, ordered);
        }
        if (seen.size() > REMEMBERED) {
            seen.remove(seen.keySet().iterator().next());
        }
        return known == null;
    }

    private void submit(byte[] command) {
        conduct.submit(command, changed -> order.submit(index, changed));
    }

    // ---- Ordered time ----

    private void vote(long mine) {
        if (mine != incarnation) {
            return;
        }
        long next = machine.tick() + 1;
        boolean again = next == voted && ++silentPeriods < REPEAT_VOTE_AFTER;
        if (!again) {
            voted = next;
            silentPeriods = 0;
            submit(Codec.encode(sealer.seal(new Tick(index, next))));
        }
        conduct.tick(command -> order.submit(index, command));
        world.timeline().after(clock.micros(tickMillis), () -> vote(mine));
    }

    private void repeat(long mine) {
        if (mine != incarnation) {
            return;
        }
        machine.openAcceptance().ifPresent(this::carryOut);
        if (!question.isEmpty() && !shares.isEmpty()) {
            // Whoever lost the shares of the newest certificate cannot answer the question that follows it.
            toAppservers(shares.lastEntry().getValue());
        }
        question.forEach(this::toAppservers);
        world.timeline().after(REPEAT, () -> repeat(mine));
    }

    // ---- The order ----

    @Override
    public void apply(byte[] command) {
        if (!up) {
            return;
        }
        machine.apply(command);
        remember(Hash.sha256(command), true);
        machine.drain().forEach(this::carryOut);
    }

    @Override
    public byte[] snapshot() {
        return machine.snapshot();
    }

    @Override
    public void restore(byte[] snapshot) {
        machine.restore(snapshot);
        blank = false;
        long last = signed.isEmpty() ? 0 : signed.lastKey();
        machine.signableAfter(last).forEach(this::carryOut);
        machine.openAcceptance().ifPresent(this::carryOut);
        machine.openQuestion().ifPresent(this::carryOut);
    }

    // ---- The notary ----

    private void carryOut(Outcome outcome) {
        if (outcome instanceof Outcome.Ask ask) {
            question = List.of(Wire.of(sealer.seal(ask.message(index))));
            question.forEach(this::toAppservers);
        } else if (outcome instanceof Outcome.Decided decided) {
            Accept accept = new Accept(index, decided.content().number(), decided.attempt(), decided.hash());
            submit(Codec.encode(sealer.seal(accept)));
        } else if (outcome instanceof Outcome.ReadyToSign ready) {
            sign(ready);
        }
    }

    private void sign(Outcome.ReadyToSign ready) {
        Hash known = signed.putIfAbsent(ready.number(), ready.hash());
        if (known != null) {
            if (!known.equals(ready.hash())) {
                throw new IllegalStateException("bftserver " + index + " signed " + known + " for certificate "
                        + ready.number() + " and was asked to sign " + ready.hash());
            }
            return;
        }
        Signed<?> content = sealer.seal(ready.content());
        Wire share = Wire.of(new Share(index, new Signed<>(ready.content(), ready.payload(), content.signature())));
        shares.put(ready.number(), share);
        if (shares.size() > RETAINED_SHARES) {
            shares.pollFirstEntry();
        }
        question = List.of();
        toAppservers(share);
    }
}
