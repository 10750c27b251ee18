package org.aspas.emulab.sim.model;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;

/** Origin logs that a test writes, on one disk, and the contents that certify them. Signatures are zeros. */
final class Logs {
    private static final byte[] SIGNATURE = new byte[64];

    final int origins;
    final DiskImage disk;
    private final List<List<Entry>> entries = new ArrayList<>();

    Logs(int origins) {
        this.origins = origins;
        this.disk = new DiskImage(origins);
        for (int origin = 0; origin < origins; origin++) {
            entries.add(new ArrayList<>());
        }
    }

    static ClientId client(int number) {
        byte[] key = new byte[PublicKey.LENGTH];
        key[0] = (byte) number;
        return new ClientId(PublicKey.of(key));
    }

    static Signed<ClientSigned> sealed(ClientSigned words) {
        return new Signed<>(words, Codec.encode(words), SIGNATURE);
    }

    static Request request(int client, long number, String key, String type, Operation operation) {
        return new Request(client(client), number, key, type, operation);
    }

    static OpenSession session(int client, long number, long tolerance) {
        return new OpenSession(client(client), number, tolerance);
    }

    /** Appends an entry whose server had delivered these of the others. */
    Entry append(int origin, ClientSigned words, long... delivered) {
        long sequence = disk.size(origin) + 1;
        VersionVector dependencies = VersionVector.of(delivered).with(origin, sequence - 1);
        Entry entry = new Entry(new Dot(origin, sequence), dependencies, sealed(words));
        disk.append(origin, Codec.encode(entry));
        entries.get(origin).add(entry);
        return entry;
    }

    Entry entry(int origin, long sequence) {
        return entries.get(origin).get((int) sequence - 1);
    }

    /** All there is. */
    VersionVector version() {
        VersionVector version = VersionVector.zero(origins);
        for (int origin = 0; origin < origins; origin++) {
            version = version.with(origin, disk.size(origin));
        }
        return version;
    }

    List<Entry> between(VersionVector after, VersionVector upTo) {
        List<Entry> between = new ArrayList<>();
        for (int origin = 0; origin < origins; origin++) {
            between.addAll(entries.get(origin)
                    .subList((int) after.get(origin), (int) Math.max(after.get(origin), upTo.get(origin))));
        }
        return between;
    }

    List<PlacedEntry> placed(VersionVector after, VersionVector upTo) {
        return between(after, upTo).stream()
                .map(entry -> PlacedEntry.of(
                        disk.entry(entry.dot().origin(), entry.dot().sequence()), entry))
                .toList();
    }

    /** The content after a model's newest one with these roots. */
    CertificateContent content(ReferenceModel model, VersionVector version, Hash state, List<Exclusion> exclusions) {
        List<Hash> roots = new ArrayList<>();
        for (int origin = 0; origin < origins; origin++) {
            roots.add(disk.root(origin, version.get(origin)));
        }
        Hash previous = model.content(model.number())
                .map(content -> Hash.sha256(Codec.encode(content)))
                .orElse(Hash.ZERO);
        return new CertificateContent(
                Hash.ZERO, new CertificateNumber(model.number() + 1), previous, version, roots, state, exclusions);
    }

    /** Certifies up to a version; what the model says of it but for the state root, which is made up. */
    List<Discrepancy> certify(ReferenceModel model, VersionVector version) {
        VersionVector before =
                model.content(model.number()).map(CertificateContent::version).orElse(VersionVector.zero(origins));
        return model.certify(content(model, version, Hash.ZERO, List.of()), placed(before, version)).stream()
                .filter(one -> one.about() != Discrepancy.About.STATE)
                .toList();
    }
}
