package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Certificate.ReplicaSignature;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.Codec;

/** A server that gives certificates of another content, or with too few signatures or its own ones. */
final class ForgedCertificates extends WrongCertificates {
    private static final int WAYS = 3;

    private final AdversaryContext power;

    ForgedCertificates(AdversaryContext power) {
        super(power);
        this.power = power;
    }

    @Override
    Certificate lie(Certificate genuine) {
        CertificateContent content = genuine.content();
        CertificateContent other = withState(content, Hash.of(power.chance().bytes(Hash.LENGTH)));
        List<ReplicaSignature> signatures = genuine.signatures();
        return switch (power.chance().index(WAYS)) {
            case 0 -> new Certificate(other, Codec.encode(other), signatures);
            case 1 -> new Certificate(content, genuine.payload(), signatures.subList(1, signatures.size()));
            default -> new Certificate(other, Codec.encode(other), own(other, signatures));
        };
    }

    private List<ReplicaSignature> own(CertificateContent other, List<ReplicaSignature> genuine) {
        List<ReplicaSignature> own = new ArrayList<>();
        for (ReplicaSignature one : genuine) {
            own.add(new ReplicaSignature(
                    one.replica(), power.sealer().seal(other).signature()));
        }
        return own;
    }
}
