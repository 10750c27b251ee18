package org.aspas.certify.vectors;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.state.StateTree;
import org.aspas.certify.state.TreePage;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.Accused;
import org.aspas.certify.wire.Answer;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.Batch;
import org.aspas.certify.wire.BftReqStable;
import org.aspas.certify.wire.Blacklist;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.CertificateReply;
import org.aspas.certify.wire.CertifiedEntries;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Confirmation;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Frontier;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Hello;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.SnapshotLeaves;
import org.aspas.certify.wire.SnapshotPull;
import org.aspas.certify.wire.Standing;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.certify.wire.Tick;
import org.aspas.certify.wire.Verdict;
import org.aspas.certify.wire.VertObft;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;

/** One message of each kind, and of some kinds several, as they occur in a {@link VectorWorld}. */
final class MessageSamples {
    private static final VectorWorld WORLD = VectorWorld.WORLD;
    private static final Certificate FIRST = WORLD.certificates.get(0);

    private final Map<String, Message> all = new LinkedHashMap<>();

    Map<String, Message> all() {
        ofClients();
        ofLogs();
        ofSnapshots();
        ofCertification();
        ofDetection();
        return all;
    }

    private void add(String name, Message message) {
        all.put(name, message);
    }

    private void ofClients() {
        Request request = WORLD.request(2).message();
        add("Request", request);
        Value deep = Value.of(-1);
        for (int i = 0; i < 7; i++) {
            deep = Value.sequence(List.of(deep));
        }
        add(
                "Request with an argument as deep as may be",
                new Request(WORLD.clientId, Long.MAX_VALUE, "k\u00e9y", "none", new Operation("op", List.of(deep))));
        add("OpenSession", WORLD.bodies.get(0).message());
        add(
                "OpenSession with a share",
                new OpenSession(
                        WORLD.clientId,
                        2,
                        OpenSession.UNBOUNDED,
                        new OpenSession.Share(WORLD.descriptor.agreements().get(0), 0)));
        add("Response", WORLD.response(2, 0));
        add("Response that names a certificate", WORLD.response(3, 1));
        add("Answer", new Answer(WORLD.server(0).seal(WORLD.response(2, 0)), null, null));
        add("Answer with certificate and proof", ReadVectors.counter().answer(WORLD.clientId));
        add(
                "Refusal",
                new Refusal(WORLD.clientId, 7, false, Refusal.Reason.TOO_LARGE, "the key has 513 bytes, at most 512"));
        add("Read", ReadVectors.counter().read());
        add("Hello", new Hello(WORLD.deployment, 0));
        add("Confirmation", new Confirmation(WORLD.clientId, FIRST, List.of(AnswerVectors.covered(2, 2))));
        add("GetCertificate", new GetCertificate(CertificateNumber.NONE));
        add("CertificateReply", new CertificateReply(FIRST.number(), FIRST));
        add("CertificateReply without a certificate", new CertificateReply(new CertificateNumber(99), null));
        AskStanding.Named named = new AskStanding.Named(1, WORLD.request(2).identity());
        add("AskStanding", new AskStanding(WORLD.clientId, 5, List.of(named)));
        add(
                "Standing",
                new Standing(
                        0,
                        WORLD.clientId,
                        5,
                        FIRST,
                        List.of(new Standing.Held(1, new Dot(0, 2)), new Standing.Held(99, null))));
        add("TaggedRequest", new TaggedRequest(WORLD.request(2), new byte[4 * TaggedRequest.TAG_BYTES]));
    }

    private void ofLogs() {
        add("Head", WORLD.head(2).message());
        add("Entry", new Entry(new Dot(0, 2), VectorWorld.version(1), WORLD.bodies.get(1)));
        Batch batch = new Batch(WORLD.head(2), WORLD.entries.subList(0, 2));
        add("Batch", batch);
        add("Batch with tags", batch.tagged(new byte[2 * TaggedRequest.TAG_BYTES]));
        add("Frontier", new Frontier(VectorWorld.version(2), List.of(WORLD.head(2)), FIRST.number()));
        add("Pull", new Pull(0, 2, VectorWorld.ALL));
        add(
                "CertifiedEntries",
                new CertifiedEntries(
                        0,
                        WORLD.log.rootAt(2),
                        WORLD.log.proveConsistency(2, VectorWorld.ALL),
                        WORLD.entries.subList(2, 4),
                        WORLD.log.proveConsistency(4, VectorWorld.ALL)));
    }

    private void ofSnapshots() {
        SnapshotPull.Place place = new SnapshotPull.Place(null, Hash.ZERO);
        add("SnapshotPull of a head", new SnapshotPull(CertificateNumber.NONE, null));
        add("SnapshotPull of a chunk", new SnapshotPull(FIRST.number(), place));
        SnapshotHead.LogEnd nothing = new SnapshotHead.LogEnd(List.of(), null);
        SnapshotHead.LogEnd end = new SnapshotHead.LogEnd(
                WORLD.log.peaks(2), new BrokenEntry.Included(WORLD.entries.get(1), WORLD.log.proveInclusion(1, 2)));
        add("SnapshotHead", new SnapshotHead(FIRST, List.of(end, nothing, nothing, nothing)));
        SnapshotLeaf counter = new SnapshotLeaf.Whole("c", "pn-counter", Value.of(5));
        StateTree tree = StateTree.empty().put(SnapshotLeaves.of(counter));
        TreePage page = tree.page(Hash.ZERO, fits -> true);
        add("SnapshotChunk", new SnapshotChunk(FIRST.number(), place, page.proof(), List.of(counter)));
        add("SnapshotChunk that is not there", new SnapshotChunk(FIRST.number(), place, null, List.of()));
    }

    private void ofCertification() {
        add("VertObft", new VertObft(0, VectorWorld.version(2), List.of(WORLD.head(2))));
        add(
                "BftReqStable",
                new BftReqStable(
                        0,
                        new Epoch(1),
                        1,
                        Hash.ZERO,
                        CertificateNumber.FIRST,
                        VectorWorld.version(2),
                        WORLD.certificates.get(2).content().exclusions()));
        add("Stable", Offences.stable(0, WORLD.state.first.root()).message());
        add("Tick", new Tick(0, 12));
        Accept accept = new Accept(0, FIRST.number(), 1, FIRST.hash());
        add("Accept", accept);
        add("CertificateContent", FIRST.content());
        add("Share", new Share(0, WORLD.replica(0).seal(FIRST.content())));
        add("Certificate", FIRST);
        add("Commit", new Commit(0, FIRST.number(), 1, FIRST.hash()));
        ProvenContent proven = new ProvenContent(
                FIRST.content(), FIRST.payload(), List.of(WORLD.replica(0).seal(accept)));
        add("Recover", new Recover(0, Offences.OTHER, Hash.ZERO, true, new Epoch(1), FIRST.number(), 1, proven));
        add("ProvenContent", proven);
    }

    private void ofDetection() {
        new Offences().guilty().forEach((name, evidence) -> add("evidence: " + name, evidence));
        new Offences().replayed().forEach((name, evidence) -> add("evidence: " + name, evidence));
        Signed<Response> answer = Offences.answer(2, 0);
        add("Inspect", new Inspect(WORLD.clientId, 7, answer, Question.of(WORLD.request(2))));
        add(
                "InspectReply",
                Offences.reply(1, answer, InspectReply.Outcome.MATCH).message());
        Evidence evidence = Offences.state(Offences.OTHER);
        add("Complain", new Complain(WORLD.clientId, 8, evidence));
        Blacklist guilty = new Blacklist(1, Digests.evidence(evidence), evidence.accused(), Blacklist.Finding.GUILTY);
        add("Blacklist", guilty);
        add(
                "Blacklist of a client",
                new Blacklist(1, Hash.ZERO, new Accused.Client(WORLD.clientId), Blacklist.Finding.UNCONFIRMED));
        add("Verdict", new Verdict(0, evidence, List.of(WORLD.server(1).seal(guilty))));
    }
}
