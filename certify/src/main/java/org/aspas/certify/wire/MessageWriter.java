package org.aspas.certify.wire;

import java.util.List;
import org.aspas.certify.log.ConsistencyProof;
import org.aspas.certify.log.InclusionProof;
import org.jspecify.annotations.Nullable;

/** Writes each message's items in the order of its record's components. {@link MessageReader} is its mirror. */
final class MessageWriter {
    private final CborWriter out;

    MessageWriter(CborWriter out) {
        this.out = out;
    }

    /** Writes the whole array of a message: kind, then its items. */
    void message(Message message) {
        switch (message.kind()) {
            case REQUEST -> request((Request) message);
            case OPEN_SESSION -> openSession((OpenSession) message);
            case RESPONSE -> response((Response) message);
            case ANSWER -> answer((Answer) message);
            case REFUSAL -> refusal((Refusal) message);
            case READ -> read((Read) message);
            case HELLO -> hello((Hello) message);
            case CONFIRMATION -> confirmation((Confirmation) message);
            case GET_CERTIFICATE ->
                open(message, 1).integer(((GetCertificate) message).number().value());
            case CERTIFICATE_REPLY -> certificateReply((CertificateReply) message);
            case TAGGED_REQUEST -> taggedRequest((TaggedRequest) message);
            case HEAD -> head((Head) message);
            case ENTRY -> entry((Entry) message);
            case BATCH -> batch((Batch) message);
            case FRONTIER -> frontier((Frontier) message);
            case PULL -> pull((Pull) message);
            case CERTIFIED_ENTRIES -> certifiedEntries((CertifiedEntries) message);
            case VERTOBFT -> vertObft((VertObft) message);
            case BFTREQSTABLE -> bftReqStable((BftReqStable) message);
            case STABLE -> stable((Stable) message);
            case TICK -> open(message, 2).integer(((Tick) message).replica()).integer(((Tick) message).k());
            case ACCEPT -> accept((Accept) message);
            case CERTIFICATE_CONTENT -> content((CertificateContent) message);
            case SHARE -> share((Share) message);
            case CERTIFICATE -> certificate((Certificate) message);
            case COMMIT -> commit((Commit) message);
            case RECOVER -> recover((Recover) message);
            case PROVEN_CONTENT -> provenContent((ProvenContent) message);
            case SNAPSHOT_PULL, SNAPSHOT_HEAD, SNAPSHOT_CHUNK -> new SnapshotPartWriter(out, this).message(message);
            default -> new EvidenceWriter(out, this).message(message);
        }
        out.end();
    }

    void signed(Signed<?> signed) {
        out.array(2).binary(signed.payload()).binary(signed.signature()).end();
    }

    CborWriter open(Message message, int items) {
        return out.array(items + 1).integer(message.kind().number());
    }

    private void request(Request m) {
        open(m, 5)
                .client(m.client())
                .integer(m.number())
                .text(m.key())
                .text(m.type())
                .operation(m.operation());
    }

    private void openSession(OpenSession m) {
        OpenSession.Share share = m.share();
        open(m, share == null ? 3 : 5).client(m.client()).integer(m.number()).integer(m.tolerance());
        if (share != null) {
            out.binary(share.key().toBytes()).integer(share.home());
        }
    }

    private void response(Response m) {
        open(m, 11)
                .integer(m.server())
                .integer(m.sequence())
                .client(m.client())
                .integer(m.reference())
                .value(m.result());
        optional(m.dot(), out::dot);
        out.hash(m.leaf())
                .version(m.version())
                .hash(m.roots())
                .integer(m.certificate().value())
                .hash(m.certificateDigest());
    }

    private void answer(Answer m) {
        open(m, 3);
        signed(m.response());
        optional(m.certificate(), this::message);
        optional(m.proof(), new StateProofWriter(out, this)::objectProof);
    }

    private void refusal(Refusal m) {
        open(m, 5)
                .client(m.client())
                .integer(m.reference())
                .bool(m.read())
                .integer(m.reason().ordinal())
                .text(m.detail());
    }

    private void read(Read m) {
        open(m, 6)
                .integer(m.nonce())
                .text(m.key())
                .text(m.type())
                .bool(m.certified())
                .integer(m.certificate().value());
        optional(m.part(), this::readPart);
    }

    private void readPart(ReadPart part) {
        out.array(3);
        optional(part.element(), out::value);
        optional(part.from(), out::hash);
        out.integer(part.certificate().value()).end();
    }

    private void hello(Hello m) {
        open(m, 2).hash(m.deployment()).integer(m.server());
    }

    private void confirmation(Confirmation m) {
        open(m, 3).client(m.client());
        message(m.certificate());
        out.list(m.covered(), this::covered);
    }

    private void covered(Confirmation.Covered covered) {
        out.array(3).integer(covered.number()).dot(covered.dot());
        inclusionProof(covered.proof());
        out.end();
    }

    void inclusionProof(InclusionProof proof) {
        out.array(3)
                .integer(proof.leafIndex())
                .integer(proof.treeSize())
                .hashes(proof.path())
                .end();
    }

    private void certificateReply(CertificateReply m) {
        open(m, 2).integer(m.number().value());
        optional(m.certificate(), this::message);
    }

    private void taggedRequest(TaggedRequest m) {
        open(m, 2);
        signed(m.request());
        out.binary(m.tags());
    }

    private void head(Head m) {
        open(m, 3).integer(m.origin()).integer(m.size()).hash(m.root());
    }

    private void entry(Entry m) {
        open(m, 3).dot(m.dot()).version(m.dependencies());
        signed(m.body());
    }

    private void batch(Batch m) {
        boolean tagged = m.tags().length > 0;
        open(m, tagged ? 3 : 2);
        signed(m.head());
        out.list(m.entries(), out::binary);
        if (tagged) {
            out.binary(m.tags());
        }
    }

    private void pull(Pull m) {
        open(m, 3).integer(m.origin()).integer(m.after()).integer(m.certified());
    }

    private void certifiedEntries(CertifiedEntries m) {
        open(m, 5).integer(m.origin()).hash(m.root());
        consistencyProof(m.before());
        out.list(m.entries(), out::binary);
        consistencyProof(m.after());
    }

    private void consistencyProof(ConsistencyProof proof) {
        out.array(3)
                .integer(proof.oldSize())
                .integer(proof.newSize())
                .hashes(proof.path())
                .end();
    }

    private void frontier(Frontier m) {
        open(m, 3).version(m.version());
        out.list(m.heads(), this::signed).integer(m.certificate().value());
    }

    private void vertObft(VertObft m) {
        open(m, 3).integer(m.server());
        out.version(m.version()).list(m.heads(), this::signed);
    }

    private void bftReqStable(BftReqStable m) {
        open(m, 7)
                .integer(m.replica())
                .integer(m.epoch().value())
                .integer(m.round())
                .hash(m.previous())
                .integer(m.number().value())
                .version(m.version());
        exclusions(m.exclusions());
    }

    private void stable(Stable m) {
        open(m, 9)
                .integer(m.server())
                .integer(m.epoch().value())
                .integer(m.round())
                .hash(m.previous())
                .version(m.version())
                .hashes(m.roots())
                .version(m.closed())
                .hashes(m.closedRoots())
                .hash(m.state());
    }

    private void accept(Accept m) {
        open(m, 4)
                .integer(m.replica())
                .integer(m.number().value())
                .integer(m.attempt())
                .hash(m.content());
    }

    private void commit(Commit m) {
        open(m, 4)
                .integer(m.replica())
                .integer(m.number().value())
                .integer(m.attempt())
                .hash(m.content());
    }

    private void recover(Recover m) {
        open(m, 8)
                .integer(m.replica())
                .hash(m.start())
                .hash(m.answers())
                .bool(m.knowing())
                .integer(m.epoch().value())
                .integer(m.number().value())
                .integer(m.attempt());
        optional(m.proven(), this::message);
    }

    private void provenContent(ProvenContent m) {
        open(m, 2).binary(m.payload());
        out.list(m.accepts(), this::signed);
    }

    private void content(CertificateContent m) {
        open(m, 7)
                .hash(m.deployment())
                .integer(m.number().value())
                .hash(m.previous())
                .version(m.version())
                .hashes(m.roots())
                .hash(m.state());
        exclusions(m.exclusions());
    }

    private void exclusions(List<CertificateContent.Exclusion> exclusions) {
        out.list(
                exclusions,
                e -> out.array(3)
                        .integer(e.origin())
                        .integer(e.cut())
                        .hash(e.evidence())
                        .end());
    }

    private void share(Share m) {
        open(m, 2).integer(m.replica());
        signed(m.content());
    }

    private void certificate(Certificate m) {
        open(m, 2).binary(m.payload());
        out.list(
                m.signatures(),
                s -> out.array(2).integer(s.replica()).binary(s.signature()).end());
    }

    <T> void optional(@Nullable T value, CborWriter.ItemWriter<T> writer) {
        if (value == null) {
            out.absent();
        } else {
            writer.write(value);
        }
    }
}
