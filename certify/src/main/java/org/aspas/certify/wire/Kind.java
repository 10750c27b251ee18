package org.aspas.certify.wire;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of message with the number that opens each encoding. Numbers are never reused. */
public enum Kind {
    REQUEST(1, Request.class),
    OPEN_SESSION(2, OpenSession.class),
    RESPONSE(3, Response.class),
    ANSWER(4, Answer.class),
    REFUSAL(5, Refusal.class),
    READ(6, Read.class),
    HELLO(7, Hello.class),
    CONFIRMATION(8, Confirmation.class),
    GET_CERTIFICATE(9, GetCertificate.class),
    CERTIFICATE_REPLY(10, CertificateReply.class),
    ASK_STANDING(11, AskStanding.class),
    STANDING(12, Standing.class),
    INSPECT(13, Inspect.class),
    INSPECTREPLY(14, InspectReply.class),
    TAGGED_REQUEST(15, TaggedRequest.class),
    HEAD(20, Head.class),
    ENTRY(21, Entry.class),
    BATCH(22, Batch.class),
    FRONTIER(23, Frontier.class),
    PULL(24, Pull.class),
    CERTIFIED_ENTRIES(25, CertifiedEntries.class),
    SNAPSHOT_PULL(27, SnapshotPull.class),
    SNAPSHOT_HEAD(28, SnapshotHead.class),
    SNAPSHOT_CHUNK(29, SnapshotChunk.class),
    VERTOBFT(30, VertObft.class),
    BFTREQSTABLE(31, BftReqStable.class),
    STABLE(32, Stable.class),
    TICK(33, Tick.class),
    ACCEPT(34, Accept.class),
    CERTIFICATE_CONTENT(35, CertificateContent.class),
    SHARE(36, Share.class),
    CERTIFICATE(37, Certificate.class),
    COMMIT(40, Commit.class),
    RECOVER(41, Recover.class),
    PROVEN_CONTENT(42, ProvenContent.class),
    FORKED_HEADS(50, ForkedHeads.class),
    FORKED_ENTRIES(51, ForkedEntries.class),
    BROKEN_ENTRY(52, BrokenEntry.class),
    ANSWER_AGAINST_LOG(53, AnswerAgainstLog.class),
    ANSWER_AGAINST_HEAD(54, AnswerAgainstHead.class),
    BAD_CERTIFICATE(55, BadCertificate.class),
    CERTIFICATE_WENT_BACK(56, CertificateWentBack.class),
    WRONG_ANSWER(57, WrongAnswer.class),
    WRONG_STATE(58, WrongState.class),
    CLIENT_EQUIVOCATION(59, ClientEquivocation.class),
    COMPLAIN(60, Complain.class),
    BLACKLIST(61, Blacklist.class),
    VERDICT(62, Verdict.class);

    private static final Map<Long, Optional<Kind>> BY_NUMBER =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(kind -> (long) kind.number, Optional::of));

    private final int number;
    private final Class<? extends Message> type;

    Kind(int number, Class<? extends Message> type) {
        this.number = number;
        this.type = type;
    }

    public Class<? extends Message> type() {
        return type;
    }

    public int number() {
        return number;
    }

    public static Optional<Kind> of(long number) {
        return BY_NUMBER.getOrDefault(number, Optional.empty());
    }
}
