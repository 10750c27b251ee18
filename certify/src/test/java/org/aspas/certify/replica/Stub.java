package org.aspas.certify.replica;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.machine.Ordering;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/** Appservers that agree and never stop. They follow questions as the real ones do: b+1 equal copies, never an older one. */
final class Stub {
    private final Quorums quorums;
    private final List<Sealer> sealers;
    private final Map<Integer, BftReqStable> asked = new TreeMap<>();
    private final TreeMap<Long, CertificateContent> waiting = new TreeMap<>();
    private @Nullable BftReqStable goal;
    private VersionVector written;
    private long number;
    private Hash hash = Hash.ZERO;

    Stub(Quorums quorums, List<Sealer> sealers) {
        this.quorums = quorums;
        this.sealers = sealers;
        this.written = VersionVector.zero(sealers.size());
    }

    /** The newest certificate that follows the ones before. */
    long number() {
        return number;
    }

    void certified(CertificateContent content, Hash contentHash) {
        waiting.put(content.number().value(), content);
        CertificateContent next = waiting.get(number + 1);
        while (next != null && next.previous().equals(hash)) {
            number++;
            hash = Hash.sha256(Codec.encode(next));
            next = waiting.get(number + 1);
        }
    }

    void asked(int replica, BftReqStable ask) {
        BftReqStable held = asked.get(replica);
        if (held != null && !later(ask, held)) {
            return;
        }
        asked.put(replica, ask);
        long equal = asked.values().stream().filter(other -> same(other, ask)).count();
        if (equal >= quorums.oneCorrectBftserver() && (goal == null || later(ask, goal))) {
            goal = ask;
        }
    }

    private static boolean later(BftReqStable one, BftReqStable than) {
        return one.epoch().isAfter(than.epoch()) || (one.epoch().equals(than.epoch()) && one.round() > than.round());
    }

    private static boolean same(BftReqStable one, BftReqStable other) {
        return one.epoch().equals(other.epoch())
                && one.round() == other.round()
                && one.number().equals(other.number())
                && one.previous().equals(other.previous())
                && one.version().equals(other.version());
    }

    /** One writes something, and 2f+1 of them each says what it holds and what was asked of it. */
    void speak(Random random, Ordering ordering) {
        int origin = random.nextInt(sealers.size());
        written = written.with(origin, written.get(origin) + 1);
        for (int server = 0; server < quorums.appserverQuorum(); server++) {
            ordering.submit(Codec.encode(sealers.get(server).seal(report(server))));
        }
        BftReqStable open = goal;
        if (open != null
                && open.number().value() == number + 1
                && open.previous().equals(hash)) {
            for (int server = 0; server < quorums.appserverQuorum(); server++) {
                ordering.submit(Codec.encode(sealers.get(server).seal(answer(server, open))));
            }
        }
    }

    private VertObft report(int server) {
        List<Signed<Head>> heads = new ArrayList<>();
        long[] sizes = new long[sealers.size()];
        for (int origin = 0; origin < sealers.size(); origin++) {
            long size = written.get(origin);
            sizes[origin] = size;
            if (size > 0) {
                heads.add(sealers.get(origin).seal(new Head(origin, size, root(origin, size))));
            }
        }
        return new VertObft(server, VersionVector.of(sizes), heads);
    }

    private Stable answer(int server, BftReqStable open) {
        List<Hash> roots = new ArrayList<>();
        for (int origin = 0; origin < sealers.size(); origin++) {
            roots.add(root(origin, open.version().get(origin)));
        }
        return new Stable(
                server,
                open.epoch(),
                open.round(),
                open.previous(),
                open.version(),
                roots,
                open.version(),
                roots,
                Hash.sha256(roots.toString().getBytes(StandardCharsets.UTF_8)));
    }

    private static Hash root(int origin, long size) {
        if (size == 0) {
            return MerkleTree.EMPTY_ROOT;
        }
        return Hash.sha256(("root " + origin + " " + size).getBytes(StandardCharsets.UTF_8));
    }
}
