package org.aspas.certify.wire;

import java.util.List;
import java.util.function.ToIntFunction;

/**
 * Reads what {@link EvidenceWriter} writes. No kind here can hold a message of any kind, so that nesting is bounded: a
 * complaint or verdict holds evidence, evidence holds what was signed, and that holds no evidence.
 */
final class EvidenceReader {
    private final CborReader in;
    private final MessageReader messages;

    EvidenceReader(CborReader in, MessageReader messages) {
        this.in = in;
        this.messages = messages;
    }

    Message body(Kind kind) throws Malformed {
        return switch (kind) {
            case ASK_STANDING ->
                new AskStanding(messages.client(), in.natural(), in.list(AskStanding.MAX_UPDATES, this::named));
            case STANDING ->
                new Standing(
                        in.index(),
                        messages.client(),
                        in.natural(),
                        messages.optional(messages::certificate),
                        in.list(AskStanding.MAX_UPDATES, this::held));
            case INSPECT -> new Inspect(messages.client(), in.natural(), messages.signed(Response.class), question());
            case INSPECTREPLY ->
                new InspectReply(
                        in.index(),
                        messages.client(),
                        in.natural(),
                        in.hash(),
                        in.hash(),
                        constant(InspectReply.Outcome.values()));
            case COMPLAIN -> new Complain(messages.client(), in.natural(), messages.message(Evidence.class));
            case BLACKLIST -> new Blacklist(in.index(), in.hash(), accused(), constant(Blacklist.Finding.values()));
            case VERDICT ->
                new Verdict(
                        in.index(),
                        messages.message(Evidence.class),
                        ordered(Blacklist.class, signed -> signed.message().server()));
            default -> evidence(kind);
        };
    }

    private Evidence evidence(Kind kind) throws Malformed {
        return switch (kind) {
            case FORKED_HEADS -> new ForkedHeads(messages.signed(Head.class), messages.signed(Head.class));
            case FORKED_ENTRIES -> new ForkedEntries(branch(), branch());
            case BROKEN_ENTRY ->
                new BrokenEntry(messages.signed(Head.class), included(), messages.optional(this::included));
            case ANSWER_AGAINST_LOG ->
                new AnswerAgainstLog(
                        messages.signed(Response.class), messages.certificate(), in.hash(), messages.inclusionProof());
            case ANSWER_AGAINST_HEAD ->
                new AnswerAgainstHead(
                        messages.signed(Response.class),
                        messages.signed(Head.class),
                        in.hash(),
                        messages.inclusionProof());
            case BAD_CERTIFICATE -> new BadCertificate(messages.signed(Response.class), messages.certificate());
            case CERTIFICATE_WENT_BACK ->
                new CertificateWentBack(messages.signed(Response.class), messages.signed(Response.class));
            case WRONG_ANSWER ->
                new WrongAnswer(
                        messages.signed(Response.class),
                        question(),
                        ordered(InspectReply.class, signed -> signed.message().server()));
            case WRONG_STATE ->
                new WrongState(
                        messages.signed(Stable.class),
                        ordered(Stable.class, signed -> signed.message().server()));
            case CLIENT_EQUIVOCATION ->
                new ClientEquivocation(messages.signed(Request.class), messages.signed(Request.class));
            default -> throw new IllegalStateException("no decoding of " + kind);
        };
    }

    private AskStanding.Named named() throws Malformed {
        in.open();
        AskStanding.Named named = new AskStanding.Named(messages.positive(), in.hash());
        in.end();
        return named;
    }

    private Standing.Held held() throws Malformed {
        in.open();
        Standing.Held held = new Standing.Held(messages.positive(), messages.optional(in::dot));
        in.end();
        return held;
    }

    private Question question() throws Malformed {
        in.open();
        Signed<Request> update = messages.optional(() -> messages.signed(Request.class));
        Read read = messages.optional(() -> messages.message(Read.class));
        in.end();
        return new Question(update, read);
    }

    private ForkedEntries.Branch branch() throws Malformed {
        in.open();
        ForkedEntries.Branch branch =
                new ForkedEntries.Branch(messages.signed(Head.class), in.hash(), messages.inclusionProof());
        in.end();
        return branch;
    }

    private BrokenEntry.Included included() throws Malformed {
        in.open();
        BrokenEntry.Included included = new BrokenEntry.Included(in.binary(), messages.inclusionProof());
        in.end();
        return included;
    }

    private Accused accused() throws Malformed {
        return in.atBinary() ? new Accused.Client(messages.client()) : new Accused.Server(in.index());
    }

    /** Signed messages of distinct servers in ascending order. */
    private <M extends Message> List<Signed<M>> ordered(Class<M> type, ToIntFunction<Signed<M>> server)
            throws Malformed {
        List<Signed<M>> items = in.list(CborReader.MAX_ORIGINS, () -> messages.signed(type));
        for (int i = 1; i < items.size(); i++) {
            if (server.applyAsInt(items.get(i - 1)) >= server.applyAsInt(items.get(i))) {
                throw new Malformed("servers out of order");
            }
        }
        return items;
    }

    private <T> T constant(T[] constants) throws Malformed {
        return constants[(int) in.upTo(constants.length - 1L)];
    }
}
