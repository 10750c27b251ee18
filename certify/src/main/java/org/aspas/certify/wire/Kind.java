package org.aspas.certify.wire;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.aspas.certify.identity.Domain;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of message: the number that opens the encoding and is never reused, the record with its items, and what a signature under
 * it is for.
 */
public enum Kind {
    REQUEST(1, Request.class, Request.SCHEMA, Domain.REQUEST),
    OPEN_SESSION(2, OpenSession.class, OpenSession.SCHEMA, Domain.SESSION),
    RESPONSE(3, Response.class, Response.SCHEMA, Domain.RESPONSE),
    ANSWER(4, Answer.class, Answer.SCHEMA),
    REFUSAL(5, Refusal.class, Refusal.SCHEMA),
    READ(6, Read.class, Read.SCHEMA),
    HELLO(7, Hello.class, Hello.SCHEMA),
    CONFIRMATION(8, Confirmation.class, Confirmation.SCHEMA),
    GET_CERTIFICATE(9, GetCertificate.class, GetCertificate.SCHEMA),
    CERTIFICATE_REPLY(10, CertificateReply.class, CertificateReply.SCHEMA),
    ASK_STANDING(11, AskStanding.class, AskStanding.SCHEMA, Domain.INQUIRY),
    STANDING(12, Standing.class, Standing.SCHEMA, Domain.STANDING),
    INSPECT(13, Inspect.class, Inspect.SCHEMA, Domain.INQUIRY),
    INSPECTREPLY(14, InspectReply.class, InspectReply.SCHEMA, Domain.INSPECTREPLY),
    TAGGED_REQUEST(15, TaggedRequest.class, TaggedRequest.SCHEMA),
    HEAD(20, Head.class, Head.SCHEMA, Domain.HEAD),
    ENTRY(21, Entry.class, Entry.SCHEMA),
    BATCH(22, Batch.class, Batch.SCHEMA),
    FRONTIER(23, Frontier.class, Frontier.SCHEMA),
    PULL(24, Pull.class, Pull.SCHEMA),
    CERTIFIED_ENTRIES(25, CertifiedEntries.class, CertifiedEntries.SCHEMA),
    SNAPSHOT_PULL(27, SnapshotPull.class, SnapshotPull.SCHEMA),
    SNAPSHOT_HEAD(28, SnapshotHead.class, SnapshotHead.SCHEMA),
    SNAPSHOT_CHUNK(29, SnapshotChunk.class, SnapshotChunk.SCHEMA),
    VERTOBFT(30, VertObft.class, VertObft.SCHEMA, Domain.VERTOBFT),
    BFTREQSTABLE(31, BftReqStable.class, BftReqStable.SCHEMA, Domain.BFTREQSTABLE),
    STABLE(32, Stable.class, Stable.SCHEMA, Domain.STABLE),
    TICK(33, Tick.class, Tick.SCHEMA, Domain.TICK),
    ACCEPT(34, Accept.class, Accept.SCHEMA, Domain.ACCEPT),
    CERTIFICATE_CONTENT(35, CertificateContent.class, CertificateContent.SCHEMA, Domain.CERTIFICATE),
    SHARE(36, Share.class, Share.SCHEMA),
    CERTIFICATE(37, Certificate.class, Certificate.SCHEMA),
    COMMIT(40, Commit.class, Commit.SCHEMA, Domain.COMMIT),
    RECOVER(41, Recover.class, Recover.SCHEMA, Domain.RECOVER),
    PROVEN_CONTENT(42, ProvenContent.class, ProvenContent.SCHEMA),
    FORKED_HEADS(50, ForkedHeads.class, ForkedHeads.SCHEMA),
    FORKED_ENTRIES(51, ForkedEntries.class, ForkedEntries.SCHEMA),
    BROKEN_ENTRY(52, BrokenEntry.class, BrokenEntry.SCHEMA),
    ANSWER_AGAINST_LOG(53, AnswerAgainstLog.class, AnswerAgainstLog.SCHEMA),
    ANSWER_AGAINST_HEAD(54, AnswerAgainstHead.class, AnswerAgainstHead.SCHEMA),
    BAD_CERTIFICATE(55, BadCertificate.class, BadCertificate.SCHEMA),
    CERTIFICATE_WENT_BACK(56, CertificateWentBack.class, CertificateWentBack.SCHEMA),
    WRONG_ANSWER(57, WrongAnswer.class, WrongAnswer.SCHEMA),
    WRONG_STATE(58, WrongState.class, WrongState.SCHEMA),
    CLIENT_EQUIVOCATION(59, ClientEquivocation.class, ClientEquivocation.SCHEMA),
    COMPLAIN(60, Complain.class, Complain.SCHEMA, Domain.COMPLAINT),
    BLACKLIST(61, Blacklist.class, Blacklist.SCHEMA, Domain.BLACKLIST),
    VERDICT(62, Verdict.class, Verdict.SCHEMA, Domain.VERDICT);

    private static final Map<Long, Optional<Kind>> BY_NUMBER =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(kind -> (long) kind.number, Optional::of));

    private static final Map<Class<?>, Kind> BY_TYPE =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(kind -> kind.type, kind -> kind));

    private final int number;
    private final Class<? extends Message> type;
    private final Schema<? extends Message> schema;
    private final @Nullable Domain domain;

    <M extends Message> Kind(int number, Class<M> type, Schema<M> schema) {
        this(number, type, schema, null);
    }

    <M extends Message> Kind(int number, Class<M> type, Schema<M> schema, @Nullable Domain domain) {
        this.number = number;
        this.type = type;
        this.schema = schema;
        this.domain = domain;
    }

    /** The record of the messages of this kind. */
    public Class<? extends Message> type() {
        return type;
    }

    /** What opens the encoding. */
    public int number() {
        return number;
    }

    /** What a signature under a message of this kind is for; empty when nobody signs them. */
    public Optional<Domain> domain() {
        return Optional.ofNullable(domain);
    }

    @SuppressWarnings("unchecked") // It is given items of the record of this kind, or of a text.
    Schema<Message> schema() {
        return (Schema<Message>) schema;
    }

    public static Optional<Kind> of(long number) {
        return BY_NUMBER.getOrDefault(number, Optional.empty());
    }

    static Kind of(Message message) {
        return Objects.requireNonNull(BY_TYPE.get(message.getClass()));
    }
}
