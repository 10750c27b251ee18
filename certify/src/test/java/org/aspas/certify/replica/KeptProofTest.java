package org.aspas.certify.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.machine.CertificationMachine;
import org.aspas.certify.machine.MachineSettings;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Tick;
import org.junit.jupiter.api.Test;

/**
 * W8 of docs/proofs/early-votes.md from end to end: four signers, of which the last one lies, and the machine that all of them
 * are a copy of. Words of correct replicas reach others only where the test lets them, and the order only at its end.
 */
class KeptProofTest {
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {4});
    private static final int N = 4;
    private static final int LIAR = 3;
    private static final CertificateNumber FIRST = CertificateNumber.FIRST;

    private final Random random = new Random(1);
    private final List<Sealer> sealers = sealers(2);
    private final Membership members = Lab.members(sealers(1), sealers, new Verifier(DEPLOYMENT));
    private final Stub appservers = new Stub(new Quorums(1, 1), sealers(1));
    private final List<List<RecordItem>> disks = List.of(records(), records(), records(), records());
    private final List<CertificateSigner> signers = new ArrayList<>();
    /** What waits for the order: ACCEPTs and COMMITs aside from everything else. */
    private final Deque<byte[]> waiting = new ArrayDeque<>();

    private final List<Signed<? extends Message>> words = new ArrayList<>();
    private final List<Outcome.Decided> decided = new ArrayList<>();
    private final Map<Hash, Set<Integer>> signed = new TreeMap<>();
    private CertificationMachine machine = machine();
    private int life;

    private static List<Sealer> sealers(int role) {
        return IntStream.range(0, N)
                .mapToObj(i -> new Sealer(
                        SigningKey.of(
                                Hash.sha256(new byte[] {(byte) role, (byte) i}).toBytes()),
                        DEPLOYMENT))
                .toList();
    }

    private static List<RecordItem> records() {
        return new ArrayList<>(List.of(new RecordItem.Taught(CertificateNumber.NONE)));
    }

    private CertificationMachine machine() {
        return new CertificationMachine(members, new MachineSettings(2, 8));
    }

    private void submit(byte[] command) {
        if (Codec.decode(command).accepted().orElseThrow() instanceof Frame.Sealed sealed
                && (sealed.signed().message() instanceof Accept
                        || sealed.signed().message() instanceof Commit)) {
            words.add(sealed.signed());
        } else {
            waiting.add(command);
        }
    }

    private void publish(int replica, byte[] frame) {
        Message message = Lab.message(frame);
        if (message instanceof Share share) {
            signed.computeIfAbsent(share.content().identity(), any -> new TreeSet<>())
                    .add(replica);
        } else if (message instanceof BftReqStable ask) {
            appservers.asked(replica, ask);
        }
    }

    /** All begin, over an empty order; what was under way is lost. */
    private void start() {
        join();
        order();
    }

    private void join() {
        life++;
        waiting.clear();
        words.clear();
        signers.clear();
        machine = machine();
        for (int i = 0; i < N; i++) {
            int replica = i;
            RecordState record = new RecordState();
            disks.get(i).forEach(record::apply);
            signers.add(new CertificateSigner(
                    i,
                    sealers.get(i),
                    members,
                    record,
                    Hash.sha256(("start " + i + " " + life).getBytes(StandardCharsets.UTF_8)),
                    Lab.outlet(disks.get(i)::add, this::submit, frame -> publish(replica, frame))));
        }
        signers.forEach(CertificateSigner::join);
    }

    /** Orders all that waits, words excepted. */
    private void order() {
        for (byte[] next = waiting.poll(); next != null; next = waiting.poll()) {
            machine.apply(next);
            for (Outcome outcome : machine.drain()) {
                if (outcome instanceof Outcome.Decided one) {
                    decided.add(one);
                }
                signers.forEach(signer -> signer.on(outcome));
            }
        }
    }

    private void orderWords() {
        for (Signed<? extends Message> word : List.copyOf(words)) {
            waiting.add(Codec.encode(word));
            words.remove(word);
        }
        order();
    }

    /** Time passes, and the appservers speak, until a content was decided that was not before. */
    private Outcome.Decided decide() {
        int before = decided.size();
        for (int round = 0; decided.size() == before && round < 30; round++) {
            for (int replica = 0; replica < 2; replica++) {
                waiting.add(Codec.encode(sealers.get(replica).seal(new Tick(replica, machine.tick() + 1))));
            }
            appservers.speak(random, waiting::add);
            order();
        }
        assertThat(decided).hasSize(before + 1);
        return decided.get(before);
    }

    private <M extends Message> List<Signed<M>> said(Class<M> kind) {
        return words.stream().flatMap(word -> word.as(kind).stream()).toList();
    }

    private Signed<Accept> accept(int replica) {
        return said(Accept.class).stream()
                .filter(word -> word.message().replica() == replica)
                .findFirst()
                .orElseThrow();
    }

    private Signed<Commit> commit(int replica) {
        return said(Commit.class).stream()
                .filter(word -> word.message().replica() == replica)
                .findFirst()
                .orElseThrow();
    }

    /** The first life: a content is decided, and nobody but the liar has the proof of it. */
    private ProvenContent keptProof() {
        start();
        Outcome.Decided old = decide();
        assertThat(old.attempt()).isEqualTo(1);
        return new ProvenContent(old.content(), old.payload(), List.of(accept(0), accept(1), accept(LIAR)));
    }

    /** The second one: 0 and 1 sign another content, by words that the order does not have; 2 accepts it only. */
    private Outcome.Decided signedEarly() {
        start();
        Outcome.Decided content = decide();
        assertThat(content.attempt()).isEqualTo(2);
        signers.get(0).hear(accept(1));
        signers.get(0).hear(accept(2));
        signers.get(1).hear(accept(0));
        signers.get(1).hear(accept(2));
        Signed<Commit> lie = sealers.get(LIAR).seal(new Commit(LIAR, FIRST, 2, content.hash()));
        signers.get(0).hear(lie);
        signers.get(1).hear(lie);
        signers.get(0).hear(commit(1));
        signers.get(1).hear(commit(0));
        return content;
    }

    @Test
    void whoSignedEarlyTurnsTheOrderBackFromAProofThatALiarKept() {
        ProvenContent kept = keptProof();
        Outcome.Decided content = signedEarly();
        assertThat(content.hash()).isNotEqualTo(kept.hash());
        assertThat(signed).containsOnly(Map.entry(content.hash(), Set.of(0, 1)));

        int before = decided.size();
        waiting.add(Codec.encode(sealers.get(LIAR)
                .seal(new Recover(LIAR, Hash.sha256(new byte[] {1}), Hash.ZERO, true, Epoch.NONE, FIRST, 1, kept))));
        order();
        assertThat(decided.subList(before, decided.size()))
                .extracting(Outcome.Decided::hash, Outcome.Decided::attempt)
                .as("the liar's content, and then again what was signed")
                .containsExactly(tuple(kept.hash(), 3L), tuple(content.hash(), 4L));
        orderWords();
        orderWords();
        assertThat(signed).containsOnlyKeys(content.hash());
        assertThat(signed.get(content.hash())).as("with the liar or without").contains(0, 1, 2);
        assertThat(machine.certificate()).isEqualTo(FIRST);
        assertThat(signers.subList(0, LIAR))
                .extracting(CertificateSigner::refusals)
                .as("nobody takes the order for broken")
                .containsOnly(0L);
    }

    /** Who has the proof of a content says so, and then the liar's statement makes 2b+1 with a proof that nobody signed. */
    @Test
    void aForgedProofIsRefusedAlsoInTheStatementWithWhichCertificationBegins() {
        start();
        Outcome.Decided right = decide();
        orderWords();

        join();
        Deque<byte[]> statements = new ArrayDeque<>(waiting);
        waiting.clear();
        waiting.add(statements.poll());
        waiting.add(statements.poll());
        waiting.add(Codec.encode(sealers.get(LIAR)
                .seal(new Recover(
                        LIAR, Hash.sha256(new byte[] {1}), Hash.ZERO, true, Epoch.NONE, FIRST, 1, forged(right)))));
        waiting.add(statements.poll());
        order();
        orderWords();
        orderWords();
        assertThat(signed).containsOnlyKeys(right.hash());
        assertThat(machine.certificate()).isEqualTo(FIRST);
    }

    /** Another content in its place, with ACCEPTs that the liar made in the names of others. */
    private ProvenContent forged(Outcome.Decided right) {
        CertificateContent content = right.content();
        CertificateContent other = new CertificateContent(
                content.deployment(),
                content.number(),
                content.previous(),
                content.version(),
                content.roots(),
                Hash.sha256(new byte[] {2}),
                content.exclusions());
        byte[] payload = Codec.encode(other);
        Hash hash = Hash.sha256(payload);
        List<Signed<Accept>> accepts = IntStream.range(0, LIAR)
                .mapToObj(replica -> sealers.get(LIAR).seal(new Accept(replica, FIRST, right.attempt(), hash)))
                .toList();
        return new ProvenContent(other, payload, accepts);
    }
}
