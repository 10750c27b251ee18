package org.aspas.emulab.sim.invariant;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.aspas.emulab.sim.model.CountedUpdate;
import org.aspas.emulab.sim.model.Discrepancy;
import org.aspas.emulab.sim.model.DiskImage;
import org.aspas.emulab.sim.model.PlacedEntry;
import org.aspas.emulab.sim.model.ReferenceModel;
import org.jspecify.annotations.Nullable;

/**
 * What the guarantees are judged by: the reference model, fed from the disks of the correct appservers, whatever these say
 * of themselves. For one thread; all invariants of a run share one.
 */
public final class Reference {
    /**
     * What is found when a content is signed.
     *
     * @param holders of each origin, how many correct appservers have the certified entries on their disks
     * @param discrepancies what the content says that does not follow from these entries
     * @param counted the updates that count from this certificate on
     */
    record Findings(List<Integer> holders, List<Discrepancy> discrepancies, List<CountedUpdate> counted) {
        static final Findings NONE = new Findings(List.of(), List.of(), List.of());
    }

    private final Map<Integer, DiskReader> disks = new TreeMap<>();
    private final Participants participants;
    private final Function<ClientId, Optional<Integer>> clients;
    private final ReferenceModel model = new ReferenceModel();
    private final Map<Hash, Optional<PlacedEntry>> decoded = new HashMap<>();
    private Findings findings = Findings.NONE;
    private @Nullable CertificateContent newest;
    private boolean stuck;

    /**
     * A reference that knows nothing yet.
     *
     * @param clients the index of the correct client whose start this is
     * @param disks of a correct appserver, by index: what is durable on its disk now
     */
    public Reference(
            Participants participants, Function<ClientId, Optional<Integer>> clients, IntFunction<List<byte[]>> disks) {
        this.participants = participants;
        this.clients = clients;
        for (int server : participants.correctAppservers()) {
            this.disks.put(
                    server, new DiskReader(server, participants.quorums().appservers(), () -> disks.apply(server)));
        }
    }

    ReferenceModel model() {
        return model;
    }

    /** The keys of the certified objects with their types. */
    public Map<String, String> objects() {
        return model.objects();
    }

    /** The correct appservers' disks, by server, as they are now. */
    Map<Integer, DiskReader> disks() {
        disks.values().forEach(DiskReader::catchUp);
        return Collections.unmodifiableMap(disks);
    }

    /** The disk of a correct appserver, as it is now. */
    DiskReader disk(int server) {
        DiskReader disk = disks.get(server);
        if (disk == null) {
            throw new IllegalStateException("appserver " + server + " is not correct");
        }
        disk.catchUp();
        return disk;
    }

    /** The update that counted under a number of a client. */
    Optional<CountedUpdate> counted(ClientId client, long number) {
        return model.counted(client, number);
    }

    /** The index of a correct client. */
    Optional<Integer> index(ClientId client) {
        return clients.apply(client);
    }

    /** Calls {@code then} when a correct bftserver signs a content whose number is higher than all before, with what is found. */
    Consumer<Fact.ShareSent> whenFirstSigned(BiConsumer<CertificateContent, Findings> then) {
        AtomicLong newestNumber = new AtomicLong();
        return fact -> {
            CertificateContent content = fact.share().content().message();
            long number = content.number().value();
            if (!participants.lyingReplicas().contains(fact.share().replica()) && number > newestNumber.get()) {
                newestNumber.set(number);
                then.accept(content, signed(content));
            }
        };
    }

    /** The same for all that ask of one content. */
    private Findings signed(CertificateContent content) {
        if (content.equals(newest)) {
            return findings;
        }
        if (stuck || content.number().value() != model.number() + 1) {
            return Findings.NONE;
        }
        newest = content;
        findings = judge(content);
        return findings;
    }

    private Findings judge(CertificateContent content) {
        List<Integer> holders = new ArrayList<>();
        List<Discrepancy> wrong = new ArrayList<>();
        List<PlacedEntry> added = new ArrayList<>();
        disks();
        for (int origin = 0; origin < content.version().size(); origin++) {
            int index = origin;
            List<DiskImage> holding = disks.values().stream()
                    .map(DiskReader::image)
                    .filter(image -> image.holds(content, index))
                    .toList();
            holders.add(holding.size());
            if (holding.isEmpty()) {
                stuck = true;
            } else {
                added(holding.get(0), content, origin, added, wrong);
            }
        }
        if (!stuck) {
            wrong.addAll(model.certify(content, added));
        }
        return new Findings(holders, wrong, stuck ? List.of() : model.newlyCounted());
    }

    private void added(
            DiskImage image, CertificateContent content, int origin, List<PlacedEntry> added, List<Discrepancy> wrong) {
        CertificateContent before = model.content(model.number()).orElse(null);
        long from = before == null ? 0 : before.version().get(origin);
        long upTo = content.version().get(origin);
        if (before != null
                && from <= upTo
                && !image.root(origin, from).equals(before.roots().get(origin))) {
            wrong.add(new Discrepancy(
                    Discrepancy.About.LOGS,
                    "certificate " + content.number() + " has other entries of appserver " + origin + " before " + from
                            + " than the one before"));
        }
        for (long sequence = from + 1; sequence <= upTo; sequence++) {
            Optional<PlacedEntry> entry = entry(image, origin, sequence);
            entry.ifPresent(added::add);
            if (entry.isEmpty()) {
                wrong.add(new Discrepancy(
                        Discrepancy.About.LOGS,
                        "certificate " + content.number() + " has bytes at " + origin + ":" + sequence
                                + " that are no entry"));
            }
        }
    }

    private Optional<PlacedEntry> entry(DiskImage image, int origin, long sequence) {
        byte[] bytes = image.entry(origin, sequence);
        return decoded.computeIfAbsent(
                image.leaf(origin, sequence),
                leaf -> Codec.decode(bytes, Entry.class).accepted().map(entry -> PlacedEntry.of(bytes, entry)));
    }

    /** Why a read that a certificate proves is wrong; empty when it is right, or the model does not know the certificate. */
    Optional<String> certifiedRead(String key, String type, long number, Value value) {
        return certifiedRead(key, type, number, value, whole -> whole);
    }

    /** The same of a read of a part, which is taken from the whole value. */
    Optional<String> certifiedRead(String key, String type, long number, Value value, UnaryOperator<Value> part) {
        if (number > model.number()) {
            return stuck
                    ? Optional.empty()
                    : Optional.of("certificate " + number + " was never signed by a correct bftserver");
        }
        Optional<Value> right = model.valueAt(key, type, number).map(part);
        return right.equals(Optional.of(value))
                ? Optional.empty()
                : Optional.of("the value of " + key + " at certificate " + number + " is "
                        + right.map(Value::toString).orElse("of another type") + " and not " + value);
    }

    /** Whether a certificate that the appserver adopted after a read took the entry off its disk. */
    private boolean cutSince(FinalRead read, int origin, long sequence) {
        return disk(read.server())
                .adopted()
                .filter(now -> now.number().value() > read.certificate())
                .map(now -> now.exclusions().stream().anyMatch(one -> one.origin() == origin && one.cut() < sequence))
                .orElse(false);
    }

    /** Why what a correct appserver says of an object, certified or not, does not follow from its disk. */
    Optional<String> read(FinalRead read) {
        if (read.certified()) {
            return certifiedRead(read.key(), read.type(), read.certificate(), read.value());
        }
        Optional<CertificateContent> base = model.content(read.certificate());
        VersionVector from = base.map(CertificateContent::version)
                .orElse(VersionVector.zero(read.version().size()));
        DiskImage image = disk(read.server()).image();
        List<PlacedEntry> after = new ArrayList<>();
        for (int origin = 0; origin < from.size(); origin++) {
            for (long sequence = from.get(origin) + 1;
                    sequence <= read.version().get(origin);
                    sequence++) {
                if (sequence > image.size(origin) && cutSince(read, origin, sequence)) {
                    return Optional.empty();
                }
                if (sequence > image.size(origin)) {
                    return Optional.of("the entry " + origin + ":" + sequence + ", which is shown, is not on its disk");
                }
                entry(image, origin, sequence).ifPresent(after::add);
            }
        }
        return model.liveValue(read.key(), read.type(), read.certificate(), after)
                .filter(right -> !right.equals(read.value()))
                .map(right -> "the live value of " + read.key() + " at " + read.version() + " is " + right + " and not "
                        + read.value());
    }

    /** Whether an entry of a correct appserver is on its disk. */
    boolean onDisk(int server, long sequence, Hash leaf) {
        DiskImage image = disk(server).image();
        return image.size(server) >= sequence && image.leaf(server, sequence).equals(leaf);
    }
}
