package org.aspas.emulab.sim.node;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.aspas.bftcluster.node.FileRecord;
import org.aspas.bftcluster.node.RecordUnusableException;
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
import org.aspas.certify.message.Message;
import org.aspas.certify.message.Share;
import org.aspas.certify.message.Signed;
import org.aspas.certify.message.Stable;
import org.aspas.certify.message.Tick;
import org.aspas.certify.message.Verdict;
import org.aspas.certify.message.VertObft;
import org.aspas.certify.notary.Lessons;
import org.aspas.certify.notary.Notary;
import org.aspas.certify.notary.NotaryRecord;
import org.aspas.certify.order.TotalOrder;
import org.aspas.emulab.sim.engine.Chance;
import org.aspas.emulab.sim.engine.Timeline;
import org.aspas.emulab.sim.network.Network;
import org.aspas.emulab.sim.network.Wire;

/**
 * One bftserver: the certification machine, a gateway that takes commands from appservers, and a notary that accepts,
 * commits and signs. The notary's record, the production one, lies on a disk and survives its crashes; its machine is taught
 * again by the others. A record that cannot be used keeps it from starting; one that cannot be written any more makes it
 * accept and sign nothing until somebody starts it again, as in production.
 */
public final class ReplicaNode implements Network.Endpoint, Sequencer.Member {
    private static final long FALLBACK = 400 * Timeline.MILLI;
    private static final long REPEAT = Timeline.SECOND;
    private static final int REPEAT_VOTE_AFTER = 20;
    private static final long AGAIN = 2 * FALLBACK;
    private static final int REMEMBERED = 4096;
    private static final long ORDERED = -1;
    private static final long SUPERVISED = Timeline.SECOND;
    private static final long SMALL_RECORD = 300_000;

    /** What happens at a bftserver that others want to know. */
    public interface Listener {
        /** Its machine convicted an appserver. */
        void convicted(int replica, int server);
    }

    private final int index;
    private final NodeId id;
    private final World world;
    private final Membership members;
    private final Sealer sealer;
    private final Sequencer sequencer;
    private final TotalOrder order;
    private final ReplicaConduct conduct;
    private final LocalClock clock;
    private final long tickMillis;
    private final Supplier<CertificationMachine> fresh;
    private final Listener listener;
    /** By the hash of a command: when it was passed on last, or that it came out ordered. */
    private final Map<Hash, Long> seen = new LinkedHashMap<>();

    private final RecordDisk disk;
    private final long compactAt;
    private NotaryRecord record;
    private boolean recordFailed;
    private boolean recordGone;
    private CertificationMachine machine;
    private Notary notary;
    private boolean up;
    private boolean cutOff;
    private boolean blank;
    private long incarnation;
    private long voted;
    private int silentPeriods;

    /**
     * A bftserver that does not run yet.
     *
     * @param world what all parties share
     * @param index which bftserver it is
     * @param members whose signatures count
     * @param sealer its key
     * @param sequencer the order it takes part in
     * @param conduct how it behaves
     * @param clock its own idea of time
     * @param tickMillis the length of a step of ordered time
     * @param fresh makes a machine before its first command
     * @param listener is told of convictions
     */
    public ReplicaNode(
            World world,
            int index,
            Membership members,
            Sealer sealer,
            Sequencer sequencer,
            ReplicaConduct conduct,
            LocalClock clock,
            long tickMillis,
            Supplier<CertificationMachine> fresh,
            Listener listener) {
        this.world = world;
        this.index = index;
        this.id = NodeId.bftserver(index);
        this.members = members;
        this.sealer = sealer;
        this.sequencer = sequencer;
        this.conduct = conduct;
        this.clock = clock;
        this.tickMillis = tickMillis;
        this.fresh = fresh;
        this.listener = listener;
        Chance disks = world.chance().stream("record" + id);
        this.compactAt = disks.happens(0.5) ? SMALL_RECORD : FileRecord.COMPACT_AT;
        this.disk = new RecordDisk(id + "/" + FileRecord.NAME, disks);
        this.record = open();
        this.machine = fresh.get();
        this.notary = notary();
        this.order = sequencer.join(this);
    }

    /** The record as the disk has it. */
    private FileRecord open() {
        try {
            return FileRecord.open(disk, members.deployment(), index, compactAt);
        } catch (RecordUnusableException refused) {
            throw new UncheckedIOException(refused);
        }
    }

    private Notary notary() {
        Hash start = Hash.sha256(("start " + id + " " + incarnation).getBytes(StandardCharsets.UTF_8));
        return new Notary(
                index,
                sealer,
                members.proofs(),
                new Lessons(members.quorums()),
                record,
                start,
                this::submit,
                frame -> toAppservers(new Wire(frame)));
    }

    /** This bftserver. */
    public NodeId id() {
        return id;
    }

    /** Whether it runs. */
    public boolean up() {
        return up;
    }

    /** The number of the newest content that 2b+1 replicas committed to. */
    public long certificate() {
        return machine.certificate();
    }

    /** What its machine is doing, for whoever has to explain a violation. */
    public String describe() {
        return id + ": tick " + machine.tick() + ", certificate " + machine.certificate() + ", question "
                + machine.openQuestion() + ", acceptance "
                + machine.openAcceptance().map(Outcome.Decided::content) + ", open " + machine.isOpen()
                + ", record " + record.state().knowing() + (recordFailed ? " failed" : "") + (up ? "" : ", down")
                + ", rejections " + machine.rejections();
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
        order.close();
        world.network().stop(id);
        seen.clear();
        machine = fresh.get();
        blank = true;
        world.monitor().tell(invariant -> invariant.onReplicaCrashed(index));
    }

    /**
     * Starts again, without the machine's state and with its record; when the record cannot be used, it is tried again
     * until it can, or until the next crash.
     */
    public void restart() {
        try {
            record = open();
        } catch (UncheckedIOException refused) {
            world.trace().remark(world.timeline().now(), id, String.valueOf(refused.getMessage()));
            long mine = incarnation;
            world.timeline().after(SUPERVISED, () -> {
                if (mine == incarnation && !up) {
                    restart();
                }
            });
            return;
        }
        recordFailed = false;
        recordGone = false;
        up = true;
        notary = notary();
        sequencer.enter(index, true);
        if (up) {
            // What it was told on entering may have torn its record.
            start();
        }
    }

    // ---- The record ----

    /** What a record that can no longer be written refuses is not done, as in production. */
    private void recording(Runnable task) {
        long mine = incarnation;
        try {
            task.run();
        } catch (UncheckedIOException failed) {
            if (mine == incarnation && !recordFailed) {
                recordFailed = true;
                world.trace().remark(world.timeline().now(), id, String.valueOf(failed.getMessage()));
            }
        }
    }

    /** Whether its record could be used if it started now. */
    public boolean recordReadable() {
        try {
            open();
            return true;
        } catch (UncheckedIOException refused) {
            return false;
        }
    }

    /** Its disk. */
    public RecordDisk disk() {
        return disk;
    }

    /** Whether its record is complete: it holds all that it promised, or others taught it. */
    public boolean knowing() {
        return !recordGone && record.state().knowing();
    }

    /** Whether its record could not be written, so that it signs nothing until it is started again. */
    public boolean recordFailed() {
        return recordFailed;
    }

    /** Its record is gone or damaged; it does not run now. */
    public void recordGone() {
        recordGone = true;
    }

    /** A record that was damaged is moved away. */
    public void loseIfGone() {
        if (recordGone) {
            disk.lose();
        }
    }

    /** Cuts it off from the other bftservers, or lets it take part again. */
    public void cutOff(boolean cut) {
        cutOff = cut;
        if (cut) {
            order.close();
        } else {
            sequencer.enter(index, blank);
        }
    }

    @Override
    public boolean ready() {
        return up && !cutOff;
    }

    // ---- Links ----

    @Override
    public void connected(NodeId peer) {
        recording(() -> notary.greet(frame -> send(peer, new Wire(frame))));
    }

    @Override
    public void gone(NodeId peer) {
        // Whoever comes again is greeted again.
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
        Hash hash = wire.hash();
        if (!fresh(hash)) {
            return;
        }
        if (Math.floorMod(hash.hashCode(), members.quorums().bftservers()) == index) {
            submit(wire.bytes());
        } else {
            long mine = incarnation;
            world.timeline().after(FALLBACK, () -> {
                if (mine == incarnation && seen.getOrDefault(hash, ORDERED) != ORDERED) {
                    submit(wire.bytes());
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
        if (message instanceof VertObft report) {
            return report.server() == from.index() && by(from, words, Domain.VERTOBFT);
        }
        if (message instanceof Verdict verdict) {
            return verdict.server() == from.index() && by(from, words, Domain.VERDICT);
        }
        return message instanceof Stable stable && stable.server() == from.index() && by(from, words, Domain.STABLE);
    }

    private boolean by(NodeId from, Signed<?> words, Domain domain) {
        return words.verify(members.verifier(), members.appservers().get(from.index()), domain);
    }

    /** Whether a command is to be passed on: it is new, or was passed on long ago and has not come out ordered. */
    private boolean fresh(Hash hash) {
        long now = world.timeline().now();
        Long known = seen.get(hash);
        boolean pass = known == null || (known != ORDERED && now - known >= AGAIN);
        if (pass) {
            remember(hash, now);
        }
        return pass;
    }

    private void remember(Hash hash, long state) {
        seen.put(hash, state);
        if (seen.size() > REMEMBERED) {
            seen.remove(seen.keySet().iterator().next());
        }
    }

    private void submit(byte[] command) {
        conduct.submit(command, order::submit);
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
        conduct.tick(order::submit);
        world.timeline().after(clock.micros(tickMillis), () -> vote(mine));
    }

    private void repeat(long mine) {
        if (mine != incarnation) {
            return;
        }
        recording(() -> {
            notary.join();
            machine.openAcceptance().ifPresent(notary::on);
            machine.openCommitment().ifPresent(notary::on);
            notary.askAgain();
        });
        if (mine == incarnation) {
            world.timeline().after(REPEAT, () -> repeat(mine));
        }
    }

    // ---- The order ----

    @Override
    public byte[] apply(Wire command) {
        if (!up) {
            return new byte[0];
        }
        conduct.ordered(command);
        byte[] answer = machine.apply(command.decoded().accepted());
        remember(command.hash(), ORDERED);
        List<Outcome> outcomes = machine.drain();
        for (Outcome outcome : outcomes) {
            if (outcome instanceof Outcome.Convicted convicted) {
                world.monitor().tell(invariant -> invariant.onConvicted(index, convicted.server()));
                listener.convicted(index, convicted.server());
            }
        }
        recording(() -> outcomes.forEach(notary::on));
        return answer;
    }

    @Override
    public byte[] snapshot() {
        return machine.snapshot();
    }

    @Override
    public void restore(byte[] snapshot) {
        machine.restore(snapshot);
        blank = false;
        recording(() -> machine.missedSince(0).forEach(notary::on));
    }
}
