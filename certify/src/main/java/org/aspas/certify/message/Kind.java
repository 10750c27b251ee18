package org.aspas.certify.message;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The kinds of message with the number that opens each encoding. Numbers are never reused. */
public enum Kind {
    /** {@link Request}. */
    REQUEST(1, Request.class),
    /** {@link OpenSession}. */
    OPEN_SESSION(2, OpenSession.class),
    /** {@link Response}. */
    RESPONSE(3, Response.class),
    /** {@link Answer}. */
    ANSWER(4, Answer.class),
    /** {@link Refusal}. */
    REFUSAL(5, Refusal.class),
    /** {@link Read}. */
    READ(6, Read.class),
    /** {@link Hello}. */
    HELLO(7, Hello.class),
    /** {@link Confirmation}. */
    CONFIRMATION(8, Confirmation.class),
    /** {@link GetCertificate}. */
    GET_CERTIFICATE(9, GetCertificate.class),
    /** {@link CertificateReply}. */
    CERTIFICATE_REPLY(10, CertificateReply.class),
    /** {@link AskStanding}. */
    ASK_STANDING(11, AskStanding.class),
    /** {@link Standing}. */
    STANDING(12, Standing.class),
    /** {@link Inspect}. */
    INSPECT(13, Inspect.class),
    /** {@link InspectReply}. */
    INSPECTREPLY(14, InspectReply.class),
    /** {@link TaggedRequest}. */
    TAGGED_REQUEST(15, TaggedRequest.class),
    /** {@link Head}. */
    HEAD(20, Head.class),
    /** {@link Entry}. */
    ENTRY(21, Entry.class),
    /** {@link Batch}. */
    BATCH(22, Batch.class),
    /** {@link Frontier}. */
    FRONTIER(23, Frontier.class),
    /** {@link Pull}. */
    PULL(24, Pull.class),
    /** {@link CertifiedEntries}. */
    CERTIFIED_ENTRIES(25, CertifiedEntries.class),
    /** {@link SnapshotPull}. */
    SNAPSHOT_PULL(27, SnapshotPull.class),
    /** {@link SnapshotHead}. */
    SNAPSHOT_HEAD(28, SnapshotHead.class),
    /** {@link SnapshotChunk}. */
    SNAPSHOT_CHUNK(29, SnapshotChunk.class),
    /** {@link VertObft}. */
    VERTOBFT(30, VertObft.class),
    /** {@link BftReqStable}. */
    BFTREQSTABLE(31, BftReqStable.class),
    /** {@link Stable}. */
    STABLE(32, Stable.class),
    /** {@link Tick}. */
    TICK(33, Tick.class),
    /** {@link Accept}. */
    ACCEPT(34, Accept.class),
    /** {@link CertificateContent}. */
    CERTIFICATE_CONTENT(35, CertificateContent.class),
    /** {@link Share}. */
    SHARE(36, Share.class),
    /** {@link Certificate}. */
    CERTIFICATE(37, Certificate.class),
    /** {@link Commit}. */
    COMMIT(40, Commit.class),
    /** {@link Recover}. */
    RECOVER(41, Recover.class),
    /** {@link ProvenContent}. */
    PROVEN_CONTENT(42, ProvenContent.class),
    /** {@link ForkedHeads}. */
    FORKED_HEADS(50, ForkedHeads.class),
    /** {@link ForkedEntries}. */
    FORKED_ENTRIES(51, ForkedEntries.class),
    /** {@link BrokenEntry}. */
    BROKEN_ENTRY(52, BrokenEntry.class),
    /** {@link AnswerAgainstLog}. */
    ANSWER_AGAINST_LOG(53, AnswerAgainstLog.class),
    /** {@link AnswerAgainstHead}. */
    ANSWER_AGAINST_HEAD(54, AnswerAgainstHead.class),
    /** {@link BadCertificate}. */
    BAD_CERTIFICATE(55, BadCertificate.class),
    /** {@link CertificateWentBack}. */
    CERTIFICATE_WENT_BACK(56, CertificateWentBack.class),
    /** {@link WrongAnswer}. */
    WRONG_ANSWER(57, WrongAnswer.class),
    /** {@link WrongState}. */
    WRONG_STATE(58, WrongState.class),
    /** {@link ClientEquivocation}. */
    CLIENT_EQUIVOCATION(59, ClientEquivocation.class),
    /** {@link Complain}. */
    COMPLAIN(60, Complain.class),
    /** {@link Blacklist}. */
    BLACKLIST(61, Blacklist.class),
    /** {@link Verdict}. */
    VERDICT(62, Verdict.class);

    private static final Map<Long, Optional<Kind>> BY_NUMBER =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(kind -> (long) kind.number, Optional::of));

    private final int number;
    private final Class<? extends Message> type;

    Kind(int number, Class<? extends Message> type) {
        this.number = number;
        this.type = type;
    }

    /** The record that holds messages of this kind. */
    public Class<? extends Message> type() {
        return type;
    }

    /** The number on the wire. */
    public int number() {
        return number;
    }

    /** The kind with this number, if there is one. */
    public static Optional<Kind> of(long number) {
        return BY_NUMBER.getOrDefault(number, Optional.empty());
    }
}
