package org.aspas.certify.vectors;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Certificate.ReplicaSignature;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.clock.VersionVector;

/** Certificates and chains of them (docs/formats.md §8), of the deployment in {@code descriptor.json}. */
final class CertificateVectors {
    private static final VectorWorld WORLD = VectorWorld.WORLD;

    private CertificateVectors() {}

    static ObjectNode make() {
        ObjectNode out = VectorJson.object();
        out.set("certificates", certificates().list());
        out.set("chains", chains().list());
        return out;
    }

    private static void fill(ObjectNode out, Certificate certificate) {
        out.put("certificate", VectorJson.hex(certificate));
        if (out.path("valid").booleanValue()) {
            out.put("number", String.valueOf(certificate.number().value()))
                    .put("hash", certificate.hash().toString())
                    .put("stateRoot", certificate.content().state().toString());
        }
    }

    private static VectorCases certificates() {
        VectorCases cases = new VectorCases();
        for (Certificate certificate : WORLD.certificates) {
            fill(cases.valid("number " + certificate.number()), certificate);
        }
        CertificateContent first = WORLD.certificates.get(0).content();
        fill(cases.valid("with all signatures"), WORLD.certified(first, 0, 1, 2, 3));
        fill(cases.valid("with other signatures"), WORLD.certified(first, 1, 2, 3));
        fill(cases.invalid("two signatures", "2b+1 signatures are needed"), WORLD.certified(first, 0, 1));
        fill(cases.invalid("a signature of another replica", "each signature verifies"), swapped(first));
        fill(cases.invalid("one wrong signature of four", "each signature verifies"), oneWrong(first));
        fill(cases.invalid("a replica that is none", "replicas are below n"), moved(first, 4));
        fill(
                cases.invalid("of another deployment", "the content's deployment id is another one"),
                WORLD.certified(new CertificateContent(
                        Hash.ZERO,
                        first.number(),
                        first.previous(),
                        first.version(),
                        first.roots(),
                        first.state(),
                        List.of())));
        fill(
                cases.invalid("number 1 with a previous one", "number 1 has 32 zero bytes there"),
                WORLD.certified(WORLD.content(1, first.state(), VectorWorld.COUNTED, first.state(), List.of())));
        fill(
                cases.invalid("a version of three origins", "the version has N items"),
                WORLD.certified(new CertificateContent(
                        WORLD.deployment,
                        first.number(),
                        Hash.ZERO,
                        VersionVector.of(2, 0, 0),
                        first.roots(),
                        first.state(),
                        List.of())));
        fill(
                cases.invalid("three log roots", "there are N log roots"),
                WORLD.certified(new CertificateContent(
                        WORLD.deployment,
                        first.number(),
                        Hash.ZERO,
                        first.version(),
                        first.roots().subList(0, 3),
                        first.state(),
                        List.of())));
        exclusions(cases);
        return cases;
    }

    private static void exclusions(VectorCases cases) {
        CertificateContent third = WORLD.certificates.get(2).content();
        CertificateContent.Exclusion three = third.exclusions().get(0);
        CertificateContent.Exclusion two = new CertificateContent.Exclusion(2, 0, Hash.ZERO);
        fill(
                cases.invalid("exclusions out of order", "exclusions are by ascending origin"),
                WORLD.certified(
                        WORLD.content(3, third.previous(), VectorWorld.ALL, third.state(), List.of(three, two))));
        fill(
                cases.invalid(
                        "a cut that is not the component", "the version's component of an excluded origin is its cut"),
                WORLD.certified(WORLD.content(
                        3,
                        third.previous(),
                        VectorWorld.ALL,
                        third.state(),
                        List.of(new CertificateContent.Exclusion(3, 1, three.evidence())))));
        fill(
                cases.invalid("an exclusion of a server that is none", "origins are below N"),
                WORLD.certified(WORLD.content(
                        3,
                        third.previous(),
                        VectorWorld.ALL,
                        third.state(),
                        List.of(new CertificateContent.Exclusion(4, 0, three.evidence())))));
    }

    private static Certificate swapped(CertificateContent content) {
        Certificate right = WORLD.certified(content);
        List<ReplicaSignature> signatures = new ArrayList<>(right.signatures());
        signatures.set(0, new ReplicaSignature(0, right.signatures().get(1).signature()));
        return new Certificate(content, right.payload(), signatures);
    }

    private static Certificate oneWrong(CertificateContent content) {
        Certificate right = WORLD.certified(content, 0, 1, 2, 3);
        List<ReplicaSignature> signatures = new ArrayList<>(right.signatures());
        byte[] wrong = signatures.get(3).signature().clone();
        wrong[0] ^= 1;
        signatures.set(3, new ReplicaSignature(3, wrong));
        return new Certificate(content, right.payload(), signatures);
    }

    private static Certificate moved(CertificateContent content, int replica) {
        Certificate right = WORLD.certified(content);
        List<ReplicaSignature> signatures = new ArrayList<>(right.signatures());
        signatures.set(2, new ReplicaSignature(replica, signatures.get(2).signature()));
        return new Certificate(content, right.payload(), signatures);
    }

    private static VectorCases chains() {
        VectorCases cases = new VectorCases();
        Certificate first = WORLD.certificates.get(0);
        Certificate second = WORLD.certificates.get(1);
        Certificate third = WORLD.certificates.get(2);
        chain(cases.valid("three that follow each other"), first, second, third);
        chain(cases.invalid("one is left out", "the number is not one more"), first, third);
        chain(cases.invalid("the wrong way round", "the number is not one more"), second, first);
        chain(
                cases.invalid("another previous hash", "the previous hash is not that of the one before"),
                first,
                WORLD.certified(WORLD.content(
                        2, second.hash(), VectorWorld.ALL, second.content().state(), List.of())));
        chain(
                cases.invalid("a version that goes back", "no component is lower"),
                first,
                WORLD.certified(
                        WORLD.content(2, first.hash(), 1, first.content().state(), List.of())));
        chain(
                cases.invalid("another root of the same log", "where a component is equal the log root is equal"),
                first,
                rerooted());
        chain(
                cases.invalid("an exclusion that is gone", "it has all exclusions of the one before"),
                third,
                WORLD.certified(WORLD.content(
                        4, third.hash(), VectorWorld.ALL, third.content().state(), List.of())));
        return cases;
    }

    private static Certificate rerooted() {
        Certificate first = WORLD.certificates.get(0);
        List<Hash> roots = new ArrayList<>(first.content().roots());
        roots.set(0, Hash.ZERO);
        return WORLD.certified(new CertificateContent(
                WORLD.deployment,
                new CertificateNumber(2),
                first.hash(),
                first.content().version(),
                roots,
                first.content().state(),
                List.of()));
    }

    private static void chain(ObjectNode out, Certificate... certificates) {
        var list = out.putArray("certificates");
        for (Certificate certificate : certificates) {
            list.add(VectorJson.hex(certificate));
        }
    }
}
