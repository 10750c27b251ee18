package org.aspas.certify.wire;

import java.util.List;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Ed25519;
import org.aspas.certify.log.ConsistencyProof;
import org.aspas.certify.log.InclusionProof;
import org.jspecify.annotations.Nullable;

/** Reads what {@link MessageWriter} writes, item by item, and checks every range. */
final class MessageReader {
    private static final int MAX_PATH = 64;
    private static final int MAX_LIST = 1 << 16;

    private final CborReader in;

    MessageReader(CborReader in) {
        this.in = in;
    }

    /**
     * Reads one whole message of a type. The kind is judged before anything behind it is read: a message that may stand
     * anywhere inside another would let a stranger nest messages until the stack overflows.
     */
    <M extends Message> M message(Class<M> type) throws Malformed {
        in.open();
        Kind kind = kind();
        if (!type.isAssignableFrom(kind.type())) {
            throw new Malformed("not a message of the expected kind");
        }
        Message message = body(kind);
        in.end();
        return type.cast(message);
    }

    private Kind kind() throws Malformed {
        return Kind.of(in.natural()).orElseThrow(() -> new Malformed("no message has this kind"));
    }

    /** Reads a frame: a signed message opens with a byte string, a plain one with its kind. */
    Frame frame() throws Malformed {
        in.open();
        if (in.atBinary()) {
            Signed<? extends Message> signed = openedSigned(Message.class);
            return new Frame.Sealed(signed);
        }
        Message message = body(kind());
        in.end();
        return message instanceof TaggedRequest tagged
                ? new Frame.Sealed(tagged.request(), tagged.tags())
                : new Frame.Plain(message);
    }

    <M extends Message> Signed<M> signed(Class<M> type) throws Malformed {
        in.open();
        return openedSigned(type);
    }

    private <M extends Message> Signed<M> openedSigned(Class<M> type) throws Malformed {
        byte[] payload = in.binary();
        byte[] signature = in.binary();
        in.end();
        if (signature.length != Ed25519.SIGNATURE_LENGTH) {
            throw new Malformed("a signature has 64 bytes");
        }
        M message = Codec.read(payload, type);
        if (Sealer.domainOf(message.kind()).isEmpty()) {
            throw new Malformed("nobody signs messages of this kind");
        }
        return new Signed<>(message, payload, signature);
    }

    private Message body(Kind kind) throws Malformed {
        return switch (kind) {
            case REQUEST -> new Request(client(), positive(), in.text(), in.text(), in.operation());
            case OPEN_SESSION -> new OpenSession(client(), positive(), in.natural(), in.ended() ? null : share());
            case RESPONSE -> response();
            case ANSWER ->
                new Answer(
                        signed(Response.class),
                        optional(this::certificate),
                        optional(new StateProofReader(in, this)::objectProof));
            case REFUSAL -> new Refusal(client(), in.natural(), in.bool(), reason(), in.text());
            case READ ->
                new Read(in.natural(), in.text(), in.text(), in.bool(), certificateNumber(), optional(this::readPart));
            case HELLO -> new Hello(in.hash(), in.index());
            case CONFIRMATION -> new Confirmation(client(), certificate(), in.list(MAX_LIST, this::covered));
            case GET_CERTIFICATE -> new GetCertificate(certificateNumber());
            case CERTIFICATE_REPLY -> new CertificateReply(certificateNumber(), optional(this::certificate));
            case HEAD -> new Head(in.index(), in.natural(), in.hash());
            case ENTRY -> new Entry(in.dot(), in.version(), signed(ClientSigned.class));
            case BATCH -> batch();
            case TAGGED_REQUEST -> new TaggedRequest(signed(Request.class), tags());
            case FRONTIER -> new Frontier(in.version(), heads(), certificateNumber());
            case PULL -> new Pull(in.index(), in.natural(), in.natural());
            case CERTIFIED_ENTRIES ->
                new CertifiedEntries(
                        in.index(), in.hash(), consistencyProof(), in.list(MAX_LIST, in::binary), consistencyProof());
            case VERTOBFT -> new VertObft(in.index(), in.version(), heads());
            case BFTREQSTABLE ->
                new BftReqStable(
                        in.index(), epoch(), in.natural(), in.hash(), certificateNumber(), in.version(), exclusions());
            case STABLE -> stable();
            case TICK -> new Tick(in.index(), in.natural());
            case ACCEPT -> new Accept(in.index(), certificateNumber(), in.natural(), in.hash());
            case CERTIFICATE_CONTENT -> content();
            case SHARE -> new Share(in.index(), signed(CertificateContent.class));
            case CERTIFICATE -> certificateBody();
            case COMMIT -> new Commit(in.index(), certificateNumber(), in.natural(), in.hash());
            case RECOVER -> recover();
            case PROVEN_CONTENT -> provenContent();
            case SNAPSHOT_PULL, SNAPSHOT_HEAD, SNAPSHOT_CHUNK -> new SnapshotPartReader(in, this).body(kind);
            default -> new EvidenceReader(in, this).body(kind);
        };
    }

    private OpenSession.Share share() throws Malformed {
        AgreementShare key = AgreementShare.read(in.binary()).orElseThrow(() -> new Malformed("a share has 32 bytes"));
        return new OpenSession.Share(key, in.index());
    }

    private Batch batch() throws Malformed {
        Batch batch = new Batch(signed(Head.class), in.list(MAX_LIST, in::binary));
        return in.ended() ? batch : batch.tagged(tags());
    }

    private byte[] tags() throws Malformed {
        byte[] tags = in.binary();
        if (tags.length == 0 || tags.length % TaggedRequest.TAG_BYTES != 0) {
            throw new Malformed("tags have 16 bytes each");
        }
        return tags;
    }

    private Response response() throws Malformed {
        return new Response(
                in.index(),
                in.natural(),
                client(),
                in.natural(),
                in.value(),
                optional(in::dot),
                in.hash(),
                in.version(),
                in.hash(),
                certificateNumber(),
                in.hash());
    }

    private Stable stable() throws Malformed {
        return new Stable(
                in.index(),
                epoch(),
                in.natural(),
                in.hash(),
                in.version(),
                in.hashes(CborReader.MAX_ORIGINS),
                in.version(),
                in.hashes(CborReader.MAX_ORIGINS),
                in.hash());
    }

    private CertificateContent content() throws Malformed {
        return new CertificateContent(
                in.hash(),
                new CertificateNumber(positive()),
                in.hash(),
                in.version(),
                in.hashes(CborReader.MAX_ORIGINS),
                in.hash(),
                exclusions());
    }

    private List<CertificateContent.Exclusion> exclusions() throws Malformed {
        return in.list(CborReader.MAX_ORIGINS, this::exclusion);
    }

    private CertificateContent.Exclusion exclusion() throws Malformed {
        in.open();
        CertificateContent.Exclusion exclusion = new CertificateContent.Exclusion(in.index(), in.natural(), in.hash());
        in.end();
        return exclusion;
    }

    Certificate certificate() throws Malformed {
        return message(Certificate.class);
    }

    private Certificate certificateBody() throws Malformed {
        byte[] payload = in.binary();
        List<Certificate.ReplicaSignature> signatures = in.list(CborReader.MAX_ORIGINS, this::replicaSignature);
        for (int i = 1; i < signatures.size(); i++) {
            if (signatures.get(i - 1).replica() >= signatures.get(i).replica()) {
                throw new Malformed("replica signatures out of order");
            }
        }
        return new Certificate(Codec.read(payload, CertificateContent.class), payload, signatures);
    }

    private Recover recover() throws Malformed {
        return new Recover(
                in.index(),
                in.hash(),
                in.hash(),
                in.bool(),
                epoch(),
                certificateNumber(),
                in.natural(),
                optional(() -> message(ProvenContent.class)));
    }

    private ProvenContent provenContent() throws Malformed {
        byte[] payload = in.binary();
        List<Signed<Accept>> accepts = in.list(CborReader.MAX_ORIGINS, () -> signed(Accept.class));
        for (int i = 1; i < accepts.size(); i++) {
            if (accepts.get(i - 1).message().replica()
                    >= accepts.get(i).message().replica()) {
                throw new Malformed("accepts out of order");
            }
        }
        return new ProvenContent(Codec.read(payload, CertificateContent.class), payload, accepts);
    }

    private Certificate.ReplicaSignature replicaSignature() throws Malformed {
        in.open();
        int replica = in.index();
        byte[] signature = in.binary();
        in.end();
        if (signature.length != Ed25519.SIGNATURE_LENGTH) {
            throw new Malformed("a signature has 64 bytes");
        }
        return new Certificate.ReplicaSignature(replica, signature);
    }

    private List<Signed<Head>> heads() throws Malformed {
        List<Signed<Head>> heads = in.list(CborReader.MAX_ORIGINS, () -> signed(Head.class));
        for (int i = 1; i < heads.size(); i++) {
            if (heads.get(i - 1).message().origin() >= heads.get(i).message().origin()) {
                throw new Malformed("heads out of order");
            }
        }
        return heads;
    }

    private Confirmation.Covered covered() throws Malformed {
        in.open();
        Confirmation.Covered covered = new Confirmation.Covered(positive(), in.dot(), inclusionProof());
        in.end();
        return covered;
    }

    InclusionProof inclusionProof() throws Malformed {
        in.open();
        InclusionProof proof = new InclusionProof(in.natural(), in.natural(), in.hashes(MAX_PATH));
        in.end();
        return proof;
    }

    private ConsistencyProof consistencyProof() throws Malformed {
        in.open();
        ConsistencyProof proof = new ConsistencyProof(in.natural(), in.natural(), in.hashes(MAX_PATH));
        in.end();
        return proof;
    }

    private ReadPart readPart() throws Malformed {
        return array(() -> new ReadPart(optional(in::value), optional(in::hash), certificateNumber()));
    }

    <T> T array(CborReader.ItemReader<T> items) throws Malformed {
        in.open();
        T read = items.read();
        in.end();
        return read;
    }

    ClientId client() throws Malformed {
        return in.client();
    }

    CertificateNumber certificateNumber() throws Malformed {
        return new CertificateNumber(in.natural());
    }

    private Epoch epoch() throws Malformed {
        return new Epoch(in.natural());
    }

    long positive() throws Malformed {
        long value = in.natural();
        if (value == 0) {
            throw new Malformed("numbers begin at 1");
        }
        return value;
    }

    private Refusal.Reason reason() throws Malformed {
        Refusal.Reason[] reasons = Refusal.Reason.values();
        return reasons[(int) in.upTo(reasons.length - 1)];
    }

    <T> @Nullable T optional(CborReader.ItemReader<T> reader) throws Malformed {
        return in.absent() ? null : reader.read();
    }
}
