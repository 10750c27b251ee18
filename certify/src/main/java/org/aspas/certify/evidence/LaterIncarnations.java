package org.aspas.certify.evidence;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.wire.AnswerAgainstHead;
import org.aspas.certify.wire.AnswerAgainstLog;
import org.aspas.certify.wire.BadCertificate;
import org.aspas.certify.wire.BrokenEntry;
import org.aspas.certify.wire.CertificateWentBack;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Entry;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.ForkedEntries;
import org.aspas.certify.wire.ForkedHeads;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Response;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.Stable;
import org.aspas.certify.wire.WrongAnswer;
import org.aspas.certify.wire.WrongState;
import org.aspas.crdt.clock.Dot;
import org.aspas.crdt.clock.SequenceNumbers;
import org.aspas.crdt.clock.VersionVector;

/**
 * Evidence that names a later incarnation of an appserver than the open one. Who accepted that incarnation may rightly have signed what
 * looks wrong here, so that it convicts nobody.
 */
final class LaterIncarnations {
    private final Signatories signatories;

    LaterIncarnations(Signatories signatories) {
        this.signatories = signatories;
    }

    /** Whether anything that evidence rests on names a later incarnation. */
    boolean named(Evidence evidence) {
        return heads(evidence).stream()
                        .anyMatch(head -> SequenceNumbers.isLater(head.message().size()))
                || answers(evidence).stream().anyMatch(answer -> dotOrVersion(answer.message()))
                || versions(evidence).anyMatch(SequenceNumbers::isLater)
                || (evidence instanceof BrokenEntry broken && entries(broken));
    }

    private static boolean dotOrVersion(Response answer) {
        Dot dot = answer.dot();
        return (dot != null && SequenceNumbers.isLater(dot.sequence())) || SequenceNumbers.isLater(answer.version());
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
        return heads(evidence).stream().allMatch(signatories::head)
                && answers(evidence).stream()
                        .allMatch(
                                answer -> signatories.appserver(answer.message().server(), answer, Domain.RESPONSE))
                && (!(evidence instanceof WrongState state)
                        || signatories.appserver(state.stable().message().server(), state.stable(), Domain.STABLE));
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
