package org.aspas.certify.evidence;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.log.MerkleTree;
import org.aspas.certify.wire.AnswerAgainstHead;
import org.aspas.certify.wire.AnswerAgainstLog;
import org.aspas.certify.wire.BadCertificate;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateWentBack;
import org.aspas.certify.wire.ClientEquivocation;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Digests;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.ForkedEntries;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.InspectReply;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.certify.wire.WrongState;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;
import org.jspecify.annotations.Nullable;

/** Judges evidence from signatures alone (the protocol page, docs/protocol.md §8). Total; thread-safe. */
public final class EvidenceJudge {
    private final RequiredSigners requiredSigners;
    private final CertificateVerifier certificates;
    private final Quorums quorums;
    private final EntryRules rules;
    private final WitnessedEvidence witnessed;
    private final LaterIncarnations later;

    /**
     * A judge for one deployment.
     *
     * @param appservers the keys of the N appservers in order of their index
     * @param bftservers the keys of the n bftservers in order of their index
     * @param admits whether the descriptor admits a client; the same for everybody who judges
     */
    public EvidenceJudge(
            Quorums quorums,
            List<PublicKey> appservers,
            List<PublicKey> bftservers,
            Predicate<ClientId> admits,
            Verifier verifier) {
        this.requiredSigners = new RequiredSigners(appservers, verifier);
        this.certificates = new CertificateVerifier(quorums, bftservers, verifier);
        this.quorums = quorums;
        this.rules = new EntryRules(quorums, admits, verifier);
        this.witnessed = new WitnessedEvidence(quorums, requiredSigners);
        this.later = new LaterIncarnations(requiredSigners);
    }

    /** A judge for a deployment that admits every client. */
    public EvidenceJudge(Quorums quorums, List<PublicKey> appservers, List<PublicKey> bftservers, Verifier verifier) {
        this(quorums, appservers, bftservers, client -> true, verifier);
    }

    public static EvidenceJudge of(Descriptor descriptor) {
        return new EvidenceJudge(
                descriptor.quorums(),
                keys(descriptor, Role.APPSERVER),
                keys(descriptor, Role.BFTSERVER),
                descriptor::admits,
                descriptor.verifier());
    }

    private static List<PublicKey> keys(Descriptor descriptor, Role role) {
        return descriptor.nodes(role).stream().map(NodeDescription::key).toList();
    }

    public Judgement judge(Evidence evidence) {
        if (later.named(evidence)) {
            return later.signed(evidence)
                    ? new Judgement.CannotConfirm("it names an incarnation of an appserver that is not open here")
                    : new Judgement.Unfounded(
                            "it names an incarnation that is not open, and the accused did not sign it");
        }
        Optional<String> unfounded;
        if (evidence instanceof ForkedHeads heads) {
            unfounded = forkedHeads(heads);
        } else if (evidence instanceof ForkedEntries forked) {
            unfounded = forkedEntries(forked);
        } else if (evidence instanceof BrokenEntry broken) {
            unfounded = brokenEntry(broken);
        } else if (evidence instanceof AnswerAgainstLog answer) {
            unfounded = againstLog(answer);
        } else if (evidence instanceof AnswerAgainstHead answer) {
            unfounded = againstHead(answer);
        } else if (evidence instanceof BadCertificate bad) {
            unfounded = badCertificate(bad);
        } else if (evidence instanceof CertificateWentBack back) {
            unfounded = wentBack(back);
        } else if (evidence instanceof ClientEquivocation equivocation) {
            unfounded = equivocation(equivocation);
        } else if (evidence instanceof WrongState state) {
            unfounded = witnessed.unfounded(state);
        } else {
            unfounded = witnessed.unfounded((WrongAnswer) evidence);
        }
        if (unfounded.isPresent()) {
            return new Judgement.Unfounded(unfounded.get());
        }
        return evidence instanceof WrongAnswer
                ? new Judgement.NeedsReplay(evidence.accused())
                : new Judgement.Guilty(evidence.accused());
    }

    private Optional<String> forkedHeads(ForkedHeads evidence) {
        Head one = evidence.one().message();
        Head other = evidence.other().message();
        if (one.origin() != other.origin() || one.size() != other.size()) {
            return why("the heads are not of one origin and size");
        }
        if (one.root().equals(other.root())) {
            return why("the heads have one root");
        }
        return requiredSigners.head(evidence.one()) && requiredSigners.head(evidence.other())
                ? Optional.empty()
                : why("a head is not signed by its origin");
    }

    private Optional<String> forkedEntries(ForkedEntries evidence) {
        ForkedEntries.Branch one = evidence.one();
        ForkedEntries.Branch other = evidence.other();
        if (one.head().message().origin() != other.head().message().origin()
                || one.proof().leafIndex() != other.proof().leafIndex()) {
            return why("the leaves are not at one index of one origin's log");
        }
        if (one.leaf().equals(other.leaf())) {
            return why("the leaves are the same");
        }
        return included(one) && included(other)
                ? Optional.empty()
                : why("a leaf is not proved under a head signed by its origin");
    }

    private boolean included(ForkedEntries.Branch branch) {
        Head head = branch.head().message();
        return branch.proof().treeSize() == head.size()
                && branch.proof().verifies(branch.leaf(), head.root())
                && requiredSigners.head(branch.head());
    }

    private Optional<String> brokenEntry(BrokenEntry evidence) {
        Head head = evidence.head().message();
        BrokenEntry.Included before = evidence.before();
        boolean atItsPlace = before == null
                || (before.proof().leafIndex() == evidence.entry().proof().leafIndex() - 1 && included(before, head));
        if (!included(evidence.entry(), head) || !atItsPlace) {
            return why("an entry is not proved at its place under the head");
        }
        if (!requiredSigners.head(evidence.head())) {
            return why("the head is not signed by its origin");
        }
        Dot place = new Dot(head.origin(), evidence.entry().proof().leafIndex() + 1);
        VersionVector least = dependencies(before);
        return Codec.decode(evidence.entry().bytes(), Entry.class)
                .accepted()
                .filter(entry -> rules.inPlace(entry, place, least) && rules.signed(entry))
                .flatMap(entry -> why("the entry breaks no rule"));
    }

    /** The dependencies of an entry; zeros when there is none, or they are not of this deployment. */
    private VersionVector dependencies(BrokenEntry.@Nullable Included one) {
        return Optional.ofNullable(one)
                .flatMap(there -> Codec.decode(there.bytes(), Entry.class).accepted())
                .map(Entry::dependencies)
                .filter(version -> version.size() == quorums.appservers())
                .orElse(VersionVector.zero(quorums.appservers()));
    }

    private static boolean included(BrokenEntry.Included one, Head head) {
        return one.proof().treeSize() == head.size()
                && one.proof().verifies(MerkleTree.leafHash(one.bytes()), head.root());
    }

    private Optional<String> againstLog(AnswerAgainstLog evidence) {
        Response response = evidence.response().message();
        CertificateContent content = evidence.certificate().content();
        Dot dot = response.dot();
        if (dot == null || dot.origin() != response.server()) {
            return why("the answer names no entry of its server");
        }
        if (response.leaf().equals(evidence.leaf())) {
            return why("the answer names the certified leaf");
        }
        Optional<String> wrong = certificates.verify(evidence.certificate());
        if (wrong.isPresent()) {
            return why("the certificate does not verify: " + wrong.get());
        }
        boolean proved = dot.origin() < content.version().size()
                && evidence.proof().treeSize() == content.version().get(dot.origin())
                && evidence.proof().leafIndex() == dot.sequence() - 1
                && evidence.proof().verifies(evidence.leaf(), content.roots().get(dot.origin()));
        if (!proved) {
            return why("the leaf is not proved at the answer's dot in the certified log");
        }
        return signedAnswer(evidence.response());
    }

    private Optional<String> againstHead(AnswerAgainstHead evidence) {
        Response response = evidence.response().message();
        Head head = evidence.head().message();
        Dot dot = response.dot();
        if (dot == null || dot.origin() != response.server() || head.origin() != response.server()) {
            return why("the answer and the head are not of one server's log");
        }
        if (response.leaf().equals(evidence.leaf())) {
            return why("the answer names the leaf under the head");
        }
        boolean proved = evidence.proof().treeSize() == head.size()
                && evidence.proof().leafIndex() == dot.sequence() - 1
                && evidence.proof().verifies(evidence.leaf(), head.root())
                && requiredSigners.head(evidence.head());
        return proved
                ? signedAnswer(evidence.response())
                : why("the leaf is not proved at the answer's dot under a head signed by its origin");
    }

    private Optional<String> badCertificate(BadCertificate evidence) {
        Response response = evidence.response().message();
        if (!Digests.certificate(evidence.certificate()).equals(response.certificateDigest())) {
            return why("the answer names another certificate");
        }
        if (evidence.certificate().number().equals(response.certificate())
                && certificates.verify(evidence.certificate()).isEmpty()) {
            return why("the certificate verifies");
        }
        return signedAnswer(evidence.response());
    }

    private Optional<String> wentBack(CertificateWentBack evidence) {
        Response earlier = evidence.earlier().message();
        Response later = evidence.later().message();
        if (earlier.server() != later.server() || !earlier.client().equals(later.client())) {
            return why("the answers are not of one server to one client");
        }
        if (earlier.client().equals(ClientId.NOBODY)) {
            return why("answers without a session are not in order");
        }
        if (later.sequence() <= earlier.sequence() || !earlier.certificate().isAfter(later.certificate())) {
            return why("the later answer does not name a lower certificate");
        }
        Optional<String> wrong = signedAnswer(evidence.earlier());
        return wrong.isPresent() ? wrong : signedAnswer(evidence.later());
    }

    private Optional<String> equivocation(ClientEquivocation evidence) {
        Request one = evidence.one().message();
        Request other = evidence.other().message();
        if (!one.client().equals(other.client()) || one.number() != other.number()) {
            return why("the requests are not of one client and number");
        }
        if (evidence.one().identity().equals(evidence.other().identity())) {
            return why("the requests are the same");
        }
        return requiredSigners.request(evidence.one()) && requiredSigners.request(evidence.other())
                ? Optional.empty()
                : why("a request is not signed by the client");
    }

    private Optional<String> signedAnswer(Signed<Response> response) {
        return requiredSigners.appserver(response.message().server(), response, Domain.RESPONSE)
                ? Optional.empty()
                : why("an answer is not signed by its server");
    }

    static Optional<String> why(String reason) {
        return Optional.of(reason);
    }

    /**
     * Evidence that names a later incarnation of an appserver than the open one. Who accepted that incarnation may rightly have signed what
     * looks wrong here, so that it convicts nobody.
     */
    private static final class LaterIncarnations {
        private final RequiredSigners requiredSigners;

        LaterIncarnations(RequiredSigners requiredSigners) {
            this.requiredSigners = requiredSigners;
        }

        /** Whether anything that evidence rests on names a later incarnation. */
        boolean named(Evidence evidence) {
            return heads(evidence).stream()
                            .anyMatch(head ->
                                    SequenceNumbers.isLater(head.message().size()))
                    || answers(evidence).stream().anyMatch(answer -> dotOrVersion(answer.message()))
                    || versions(evidence).anyMatch(SequenceNumbers::isLater)
                    || (evidence instanceof BrokenEntry broken && entries(broken));
        }

        private static boolean dotOrVersion(Response answer) {
            Dot dot = answer.dot();
            return (dot != null && SequenceNumbers.isLater(dot.sequence()))
                    || SequenceNumbers.isLater(answer.version());
        }

        private static boolean entries(BrokenEntry evidence) {
            int origin = evidence.head().message().origin();
            return Stream.of(Optional.of(evidence.entry()), Optional.ofNullable(evidence.before()))
                    .flatMap(Optional::stream)
                    .flatMap(one -> Codec.decode(one.bytes(), Entry.class).accepted().stream())
                    .anyMatch(entry -> EntryRules.namesLater(entry, origin));
        }

        private static Stream<VersionVector> versions(Evidence evidence) {
            if (evidence instanceof AnswerAgainstLog answer) {
                return Stream.of(answer.certificate().content().version());
            } else if (evidence instanceof BadCertificate bad) {
                return Stream.of(bad.certificate().content().version());
            } else if (evidence instanceof WrongState state) {
                Stable stable = state.stable().message();
                return Stream.of(stable.version(), stable.closed());
            }
            return Stream.of();
        }

        /** Whether the accused signed all that evidence has of it. */
        boolean signed(Evidence evidence) {
            return heads(evidence).stream().allMatch(requiredSigners::head)
                    && answers(evidence).stream()
                            .allMatch(answer ->
                                    requiredSigners.appserver(answer.message().server(), answer, Domain.RESPONSE))
                    && (!(evidence instanceof WrongState state)
                            || requiredSigners.appserver(
                                    state.stable().message().server(), state.stable(), Domain.STABLE));
        }

        private static List<Signed<Head>> heads(Evidence evidence) {
            if (evidence instanceof ForkedHeads forked) {
                return List.of(forked.one(), forked.other());
            } else if (evidence instanceof ForkedEntries forked) {
                return List.of(forked.one().head(), forked.other().head());
            } else if (evidence instanceof BrokenEntry broken) {
                return List.of(broken.head());
            } else if (evidence instanceof AnswerAgainstHead answer) {
                return List.of(answer.head());
            }
            return List.of();
        }

        private static List<Signed<Response>> answers(Evidence evidence) {
            if (evidence instanceof AnswerAgainstLog answer) {
                return List.of(answer.response());
            } else if (evidence instanceof AnswerAgainstHead answer) {
                return List.of(answer.response());
            } else if (evidence instanceof BadCertificate bad) {
                return List.of(bad.response());
            } else if (evidence instanceof CertificateWentBack back) {
                return List.of(back.earlier(), back.later());
            } else if (evidence instanceof WrongAnswer wrong) {
                return List.of(wrong.response());
            }
            return List.of();
        }
    }

    /** Evidence that rests on what f+1 other servers found. */
    private static final class WitnessedEvidence {
        private final Quorums quorums;
        private final RequiredSigners requiredSigners;

        WitnessedEvidence(Quorums quorums, RequiredSigners requiredSigners) {
            this.quorums = quorums;
            this.requiredSigners = requiredSigners;
        }

        Optional<String> unfounded(WrongState evidence) {
            Stable accused = evidence.stable().message();
            if (evidence.others().size() < quorums.oneCorrectAppserver()) {
                return EvidenceJudge.why("fewer than f+1 others");
            }
            if (!requiredSigners.appserver(accused.server(), evidence.stable(), Domain.STABLE)) {
                return EvidenceJudge.why("the STABLE is not signed by its server");
            }
            Stable first = evidence.others().get(0).message();
            int last = -1;
            for (Signed<Stable> other : evidence.others()) {
                Stable stable = other.message();
                boolean counts = stable.server() > last
                        && stable.server() != accused.server()
                        && equalButState(accused, stable)
                        && stable.state().equals(first.state())
                        && requiredSigners.appserver(stable.server(), other, Domain.STABLE);
                if (!counts) {
                    return EvidenceJudge.why("the STABLE of another server does not fit");
                }
                last = stable.server();
            }
            return first.state().equals(accused.state()) ? EvidenceJudge.why("the states are equal") : Optional.empty();
        }

        private static boolean equalButState(Stable one, Stable other) {
            return one.epoch().equals(other.epoch())
                    && one.round() == other.round()
                    && one.previous().equals(other.previous())
                    && one.version().equals(other.version())
                    && one.roots().equals(other.roots())
                    && one.closed().equals(other.closed())
                    && one.closedRoots().equals(other.closedRoots());
        }

        Optional<String> unfounded(WrongAnswer evidence) {
            Response response = evidence.response().message();
            if (evidence.replies().size() < quorums.oneCorrectAppserver()) {
                return EvidenceJudge.why("fewer than f+1 replies");
            }
            if (!requiredSigners.appserver(response.server(), evidence.response(), Domain.RESPONSE)) {
                return EvidenceJudge.why("the answer is not signed by its server");
            }
            if (!Questions.answers(response, evidence.question())) {
                return EvidenceJudge.why("the answer is to another question");
            }
            int last = -1;
            for (Signed<InspectReply> signed : evidence.replies()) {
                InspectReply reply = signed.message();
                boolean counts = reply.server() > last
                        && reply.server() != response.server()
                        && reply.outcome() == InspectReply.Outcome.DIFFERS
                        && reply.answer().equals(evidence.response().identity())
                        && reply.roots().equals(response.roots())
                        && requiredSigners.appserver(reply.server(), signed, Domain.INSPECTREPLY);
                if (!counts) {
                    return EvidenceJudge.why("the reply of a server does not fit");
                }
                last = reply.server();
            }
            return Optional.empty();
        }
    }

    /** Checks that the required servers and clients signed. */
    private static final class RequiredSigners {
        private final List<PublicKey> appservers;
        private final Verifier verifier;

        RequiredSigners(List<PublicKey> appservers, Verifier verifier) {
            this.appservers = List.copyOf(appservers);
            this.verifier = verifier;
        }

        /** Whether the appserver with this index, which may be out of range, signed. */
        boolean appserver(int index, Signed<?> signed, Domain domain) {
            return index >= 0 && index < appservers.size() && signed.verify(verifier, appservers.get(index), domain);
        }

        boolean head(Signed<Head> head) {
            return appserver(head.message().origin(), head, Domain.HEAD);
        }

        boolean request(Signed<? extends ClientSigned> body) {
            ClientSigned message = body.message();
            return body.verify(verifier, message.client().key(), Sealer.domainOf(message));
        }
    }
}
