package org.aspas.emulab.sim.adversary;

import static org.aspas.emulab.sim.adversary.Fields.with;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.AnswerAgainstHead;
import org.aspas.certify.wire.AnswerAgainstLog;
import org.aspas.certify.wire.BadCertificate;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateWentBack;
import org.aspas.certify.wire.ClientEquivocation;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.ForkedEntries;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.certify.wire.WrongState;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/**
 * Makes evidence that looks like proof and is none, from what correct parties signed and from what the liar signs itself:
 * genuine words put together wrongly, the liar's signature in place of another's, and fewer voices than are needed.
 */
final class FalseEvidence {
    private static final int REMEMBERED = 40;
    private static final int KINDS = 12;

    /** All that an origin wrote, under its newest head. */
    private record Whole(Signed<Head> end, MerkleLog log, List<byte[]> entries) {
        BrokenEntry.Included included(int index) {
            return new BrokenEntry.Included(entries.get(index), log.proveInclusion(index, log.size()));
        }

        ForkedEntries.Branch branch(int index) {
            return new ForkedEntries.Branch(end, log.leaf(index), log.proveInclusion(index, log.size()));
        }
    }

    record Asked(Signed<Response> response, Question question) {}

    private final AdversaryContext context;
    private final Map<Integer, MerkleLog> logs = new TreeMap<>();
    private final Map<Integer, List<byte[]>> entries = new TreeMap<>();
    private final Map<Integer, Signed<Head>> ends = new TreeMap<>();
    private final List<Signed<Head>> heads = new ArrayList<>();
    private final List<Asked> answers = new ArrayList<>();
    private final List<Signed<Request>> requests = new ArrayList<>();
    private final List<Certificate> certificates = new ArrayList<>();
    private final List<WrongState> wrongStates = new ArrayList<>();

    FalseEvidence(AdversaryContext context) {
        this.context = context;
    }

    private <T> void keep(List<T> list, T item) {
        context.chance().keep(list, item, REMEMBERED);
    }

    // ---- Learning ----

    void batch(Batch batch) {
        int origin = batch.head().message().origin();
        keep(heads, batch.head());
        MerkleLog log = logs.computeIfAbsent(origin, any -> new MerkleLog());
        List<byte[]> known = entries.computeIfAbsent(origin, any -> new ArrayList<>());
        long next = batch.head().message().size() - batch.entries().size();
        for (byte[] bytes : batch.entries()) {
            if (next == log.size()) {
                log.append(bytes);
                known.add(bytes);
                Codec.decode(bytes, Entry.class).accepted().ifPresent(this::entry);
            }
            next++;
        }
        if (log.size() == batch.head().message().size()
                && log.root().equals(batch.head().message().root())) {
            ends.put(origin, batch.head());
        }
    }

    private void entry(Entry entry) {
        entry.body().as(Request.class).ifPresent(request -> keep(requests, request));
    }

    void answer(Signed<Response> response, Question question) {
        keep(answers, new Asked(response, question));
        if (question.update() != null) {
            keep(requests, question.update());
        }
    }

    void certificate(@Nullable Certificate certificate) {
        if (certificate != null) {
            keep(certificates, certificate);
        }
    }

    /** A genuine proof against another liar: it has STABLEs of correct servers, which no appserver sees otherwise. */
    void wrongState(WrongState genuine) {
        keep(wrongStates, genuine);
    }

    // ---- Accusing ----

    /** Some false evidence, if there is the material for the kind that chance chooses. */
    Optional<Evidence> any() {
        int kind = context.chance().index(KINDS);
        return switch (kind) {
            case 0, 1 -> pick(heads).map(head -> kind == 0 ? ownSignature(head) : otherSize(head));
            case 2, 3 -> wholeLog().map(whole -> kind == 2 ? soundEntry(whole) : otherPlaces(whole));
            case 4 -> pick(answers).flatMap(asked -> againstHead(asked.response()));
            case 5 -> pick(answers).flatMap(asked -> againstLog(asked.response()));
            case 6 -> pick(answers).flatMap(asked -> pick(answers).map(other -> backwards(asked, other)));
            case 7, 8 -> pick(answers).map(asked -> tooFewVoices(asked, kind == 7));
            case 9 ->
                pick(answers)
                        .flatMap(asked ->
                                pick(certificates).map(genuine -> new BadCertificate(asked.response(), genuine)));
            case 10 -> pick(requests).flatMap(this::equivocation);
            default ->
                Optional.of(
                        wrongStates.isEmpty()
                                ? wrongState()
                                : wrongState(context.chance().pick(wrongStates).others()));
        };
    }

    private <T> Optional<T> pick(List<T> list) {
        return list.isEmpty() ? Optional.empty() : Optional.of(context.chance().pick(list));
    }

    private Evidence ownSignature(Signed<Head> head) {
        Head told = head.message();
        return new ForkedHeads(head, context.sealer().seal(with(told, "root", context.anyHash())));
    }

    private Evidence otherSize(Signed<Head> head) {
        Signed<Head> other = context.chance().pick(heads);
        return other.message().origin() == head.message().origin() ? new ForkedHeads(head, other) : ownSignature(head);
    }

    private Optional<Whole> wholeLog() {
        List<Whole> whole = new ArrayList<>();
        ends.forEach((origin, end) -> {
            MerkleLog log = logs.get(origin);
            List<byte[]> known = entries.get(origin);
            if (log != null
                    && known != null
                    && log.size() >= 2
                    && log.size() == end.message().size()) {
                whole.add(new Whole(end, log, known));
            }
        });
        return pick(whole);
    }

    private Evidence soundEntry(Whole whole) {
        int later = 1 + context.chance().index(whole.entries().size() - 1);
        int earlier = context.chance().index(later);
        return context.chance().happens(0.5)
                ? new BrokenEntry(whole.end(), whole.included(earlier), whole.included(later))
                : new BrokenEntry(whole.end(), whole.included(later), whole.included(earlier));
    }

    private Evidence otherPlaces(Whole whole) {
        int one = context.chance().index(whole.entries().size());
        return new ForkedEntries(
                whole.branch(one), whole.branch((one + 1) % whole.entries().size()));
    }

    /** An answer against the newest head of its server's log, with the leaf of another place. */
    private Optional<Evidence> againstHead(Signed<Response> response) {
        Dot dot = response.message().dot();
        Signed<Head> end = dot == null ? null : ends.get(dot.origin());
        MerkleLog log = dot == null ? null : logs.get(dot.origin());
        if (dot == null
                || end == null
                || log == null
                || log.size() != end.message().size()
                || log.size() < 2) {
            return Optional.empty();
        }
        long index = dot.sequence() % log.size();
        return Optional.of(
                new AnswerAgainstHead(response, end, log.leaf(index), log.proveInclusion(index, log.size())));
    }

    /** An answer against a certificate, with the leaf of another place, rightly proved there. */
    private Optional<Evidence> againstLog(Signed<Response> response) {
        Dot dot = response.message().dot();
        MerkleLog log = dot == null ? null : logs.get(dot.origin());
        if (dot == null || log == null) {
            return Optional.empty();
        }
        List<Certificate> fitting = certificates.stream()
                .filter(certificate ->
                        dot.origin() < certificate.content().version().size())
                .filter(certificate -> {
                    long size = certificate.content().version().get(dot.origin());
                    return size >= 2
                            && size <= log.size()
                            && log.rootAt(size)
                                    .equals(certificate.content().roots().get(dot.origin()));
                })
                .toList();
        return pick(fitting).map(certificate -> {
            long size = certificate.content().version().get(dot.origin());
            long index = dot.sequence() % size;
            return new AnswerAgainstLog(response, certificate, log.leaf(index), log.proveInclusion(index, size));
        });
    }

    private static Evidence backwards(Asked one, Asked other) {
        CertificateNumber certificate = one.response().message().certificate();
        return !other.response().message().certificate().isAfter(certificate)
                ? new CertificateWentBack(one.response(), other.response())
                : new CertificateWentBack(other.response(), one.response());
    }

    /** Replies in the name of all others, or of itself only, again and again: all under its own signature. */
    private Evidence tooFewVoices(Asked asked, boolean names) {
        Response response = asked.response().message();
        List<Signed<InspectReply>> replies = new ArrayList<>();
        for (int server = 0; server < context.quorums().appservers(); server++) {
            if (server != response.server()) {
                replies.add(context.sealer()
                        .seal(new InspectReply(
                                names ? server : context.self().index(),
                                response.client(),
                                server,
                                asked.response().identity(),
                                response.roots(),
                                InspectReply.Outcome.DIFFERS)));
            }
        }
        return new WrongAnswer(asked.response(), asked.question(), replies);
    }

    private Optional<Evidence> equivocation(Signed<Request> one) {
        Signed<Request> other = context.chance().pick(requests);
        Request told = one.message();
        if (context.chance().happens(0.5)) {
            return Optional.of(new ClientEquivocation(one, other));
        }
        Request changed = with(told, "key", told.key() + "/other");
        return Optional.of(new ClientEquivocation(one, context.sealer().seal(changed)));
    }

    private Evidence wrongState() {
        int servers = context.quorums().appservers();
        List<Hash> roots = Collections.nCopies(servers, Hash.ZERO);
        VersionVector zero = VersionVector.zero(servers);
        int accused = context.chance().index(servers);
        Stable right =
                new Stable(accused, Epoch.NONE.next(), 1, Hash.ZERO, zero, roots, zero, roots, context.anyHash());
        List<Signed<Stable>> others = new ArrayList<>();
        for (int server = 0; server < servers; server++) {
            if (server != accused) {
                others.add(stable(server, right, right.state()));
            }
        }
        return new WrongState(stable(accused, right, context.anyHash()), others);
    }

    /**
     * To one question: a genuine STABLE against others' in the names of f+1 servers, or f+1 genuine ones against one in the name of
     * another server.
     */
    private Evidence wrongState(List<Signed<Stable>> genuine) {
        boolean genuineAccused = context.chance().happens(0.5);
        Stable right = genuine.get(0).message();
        Hash state = context.anyHash();
        List<Signed<Stable>> forged = new ArrayList<>();
        for (int server = 0; server < context.quorums().appservers(); server++) {
            int name = server;
            boolean free = genuineAccused
                    ? name != right.server()
                    : genuine.stream().noneMatch(one -> one.message().server() == name);
            if (free) {
                forged.add(stable(name, right, state));
            }
        }
        return genuineAccused
                ? new WrongState(
                        genuine.get(0), forged.subList(0, context.quorums().oneCorrectAppserver()))
                : new WrongState(context.chance().pick(forged), genuine);
    }

    /** What a server answered, with another name and state. */
    private Signed<Stable> stable(int server, Stable right, Hash state) {
        return context.sealer().seal(with(right, "server", server, "state", state));
    }
}
