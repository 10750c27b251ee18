package org.aspas.certify.wire;


/** Writes the messages about inspection, evidence and verdicts. {@link EvidenceReader} is its mirror. */
final class EvidenceWriter {
    private final CborWriter out;
    private final MessageWriter messages;

    EvidenceWriter(CborWriter out, MessageWriter messages) {
        this.out = out;
        this.messages = messages;
    }

    /** Writes the whole array of a message but for its end. */
    void message(Message message) {
        switch (message.kind()) {
            case ASK_STANDING -> askStanding((AskStanding) message);
            case STANDING -> standing((Standing) message);
            case INSPECT -> inspect((Inspect) message);
            case INSPECTREPLY -> inspectReply((InspectReply) message);
            case FORKED_HEADS -> forkedHeads((ForkedHeads) message);
            case FORKED_ENTRIES -> forkedEntries((ForkedEntries) message);
            case BROKEN_ENTRY -> brokenEntry((BrokenEntry) message);
            case ANSWER_AGAINST_LOG -> answerAgainstLog((AnswerAgainstLog) message);
            case ANSWER_AGAINST_HEAD -> answerAgainstHead((AnswerAgainstHead) message);
            case BAD_CERTIFICATE -> badCertificate((BadCertificate) message);
            case CERTIFICATE_WENT_BACK -> wentBack((CertificateWentBack) message);
            case WRONG_ANSWER -> wrongAnswer((WrongAnswer) message);
            case WRONG_STATE -> wrongState((WrongState) message);
            case CLIENT_EQUIVOCATION -> equivocation((ClientEquivocation) message);
            case COMPLAIN -> complain((Complain) message);
            case BLACKLIST -> blacklist((Blacklist) message);
            case VERDICT -> verdict((Verdict) message);
            default -> throw new IllegalStateException("no encoding of " + message.kind());
        }
    }

    private void askStanding(AskStanding m) {
        messages.open(m, 3).client(m.client()).integer(m.nonce());
        out.list(
                m.updates(),
                named -> out.array(2)
                        .integer(named.number())
                        .hash(named.identity())
                        .end());
    }

    private void standing(Standing m) {
        messages.open(m, 5).integer(m.server()).client(m.client()).integer(m.nonce());
        messages.optional(m.certificate(), messages::message);
        out.list(m.updates(), held -> {
            out.array(2).integer(held.number());
            messages.optional(held.dot(), out::dot);
            out.end();
        });
    }

    private void inspect(Inspect m) {
        messages.open(m, 4).client(m.client()).integer(m.nonce());
        messages.signed(m.response());
        question(m.question());
    }

    private void question(Question question) {
        out.array(2);
        messages.optional(question.update(), messages::signed);
        messages.optional(question.read(), messages::message);
        out.end();
    }

    private void inspectReply(InspectReply m) {
        messages.open(m, 6)
                .integer(m.server())
                .client(m.client())
                .integer(m.nonce())
                .hash(m.answer())
                .hash(m.roots())
                .integer(m.outcome().ordinal());
    }

    private void forkedHeads(ForkedHeads m) {
        messages.open(m, 2);
        messages.signed(m.one());
        messages.signed(m.other());
    }

    private void forkedEntries(ForkedEntries m) {
        messages.open(m, 2);
        branch(m.one());
        branch(m.other());
    }

    private void branch(ForkedEntries.Branch branch) {
        out.array(3);
        messages.signed(branch.head());
        out.hash(branch.leaf());
        messages.inclusionProof(branch.proof());
        out.end();
    }

    private void brokenEntry(BrokenEntry m) {
        messages.open(m, 3);
        messages.signed(m.head());
        included(m.entry());
        messages.optional(m.before(), this::included);
    }

    private void included(BrokenEntry.Included included) {
        out.array(2).binary(included.bytes());
        messages.inclusionProof(included.proof());
        out.end();
    }

    private void answerAgainstLog(AnswerAgainstLog m) {
        messages.open(m, 4);
        messages.signed(m.response());
        messages.message(m.certificate());
        out.hash(m.leaf());
        messages.inclusionProof(m.proof());
    }

    private void answerAgainstHead(AnswerAgainstHead m) {
        messages.open(m, 4);
        messages.signed(m.response());
        messages.signed(m.head());
        out.hash(m.leaf());
        messages.inclusionProof(m.proof());
    }

    private void badCertificate(BadCertificate m) {
        messages.open(m, 2);
        messages.signed(m.response());
        messages.message(m.certificate());
    }

    private void wentBack(CertificateWentBack m) {
        messages.open(m, 2);
        messages.signed(m.earlier());
        messages.signed(m.later());
    }

    private void wrongAnswer(WrongAnswer m) {
        messages.open(m, 3);
        messages.signed(m.response());
        question(m.question());
        out.list(m.replies(), messages::signed);
    }

    private void wrongState(WrongState m) {
        messages.open(m, 2);
        messages.signed(m.stable());
        out.list(m.others(), messages::signed);
    }

    private void equivocation(ClientEquivocation m) {
        messages.open(m, 2);
        messages.signed(m.one());
        messages.signed(m.other());
    }

    private void complain(Complain m) {
        messages.open(m, 3).client(m.client()).integer(m.nonce());
        messages.message(m.evidence());
    }

    private void blacklist(Blacklist m) {
        messages.open(m, 4).integer(m.server()).hash(m.evidence());
        if (m.accused() instanceof Accused.Client client) {
            out.binary(client.id().toBytes());
        } else {
            out.integer(((Accused.Server) m.accused()).index());
        }
        out.integer(m.finding().ordinal());
    }

    private void verdict(Verdict m) {
        messages.open(m, 3).integer(m.server());
        messages.message(m.evidence());
        out.list(m.verdicts(), messages::signed);
    }
}
