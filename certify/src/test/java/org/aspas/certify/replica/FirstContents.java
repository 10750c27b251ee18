package org.aspas.certify.replica;

import java.util.List;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.machine.Outcome.Decided;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.clock.VersionVector;

/** Contents that may be the first one, each named by a number, and what the four replicas of a deployment say of them. */
final class FirstContents {
    static final Hash DEPLOYMENT = Hash.sha256(new byte[] {5});
    static final CertificateNumber FIRST = CertificateNumber.FIRST;

    /** Of the replicas, by index. */
    static final List<Sealer> SEALERS = IntStream.range(0, 4)
            .mapToObj(i ->
                    new Sealer(SigningKey.of(Hash.sha256(new byte[] {(byte) i}).toBytes()), DEPLOYMENT))
            .toList();

    private FirstContents() {}

    static CertificateContent content(int name) {
        return new CertificateContent(
                DEPLOYMENT,
                FIRST,
                Hash.ZERO,
                VersionVector.of(name, 0, 0, 0),
                List.of(Hash.ZERO, Hash.ZERO, Hash.ZERO, Hash.ZERO),
                Hash.ZERO,
                List.of());
    }

    static Decided decided(int name, long attempt) {
        return new Decided(content(name), Codec.encode(content(name)), attempt, null);
    }

    static Hash hash(int name) {
        return Hash.sha256(Codec.encode(content(name)));
    }

    static Signed<Accept> accept(int replica, int name, long attempt) {
        return SEALERS.get(replica).seal(new Accept(replica, FIRST, attempt, hash(name)));
    }

    static Signed<Commit> commit(int replica, int name, long attempt) {
        return SEALERS.get(replica).seal(new Commit(replica, FIRST, attempt, hash(name)));
    }

    /** The proof by all replicas but the first one. */
    static ProvenContent proven(int name, long attempt) {
        List<Signed<Accept>> accepts =
                IntStream.range(1, 4).mapToObj(i -> accept(i, name, attempt)).toList();
        return new ProvenContent(content(name), Codec.encode(content(name)), accepts);
    }
}
