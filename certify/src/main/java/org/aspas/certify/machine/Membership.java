package org.aspas.certify.machine;

import java.util.List;
import java.util.function.Predicate;
import org.aspas.certify.certificate.ProvenContentVerifier;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Domain;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.Signed;

/**
 * Whose signatures count in a deployment.
 *
 * @param appservers the keys of the N appservers in order of their index
 * @param bftservers the keys of the n bftservers in order of their index
 */
public record Membership(
        Quorums quorums,
        List<PublicKey> appservers,
        List<PublicKey> bftservers,
        Predicate<ClientId> admits,
        Verifier verifier) {
    /** The members of a deployment that admits every client. */
    public Membership(Quorums quorums, List<PublicKey> appservers, List<PublicKey> bftservers, Verifier verifier) {
        this(quorums, appservers, bftservers, client -> true, verifier);
    }

    public static Membership of(Descriptor descriptor) {
        return new Membership(
                descriptor.quorums(),
                descriptor.keys(Role.APPSERVER),
                descriptor.keys(Role.BFTSERVER),
                descriptor::admits,
                descriptor.verifier());
    }

    public Membership {
        appservers = List.copyOf(appservers);
        bftservers = List.copyOf(bftservers);
        if (appservers.size() != quorums.appservers() || bftservers.size() != quorums.bftservers()) {
            throw new IllegalArgumentException(
                    appservers.size() + " and " + bftservers.size() + " keys for " + quorums);
        }
    }

    public Hash deployment() {
        return verifier.deployment();
    }

    public ProvenContentVerifier proofs() {
        return new ProvenContentVerifier(quorums, bftservers, verifier);
    }

    boolean isAppserver(int index) {
        return index >= 0 && index < appservers.size();
    }

    boolean isBftserver(int index) {
        return index >= 0 && index < bftservers.size();
    }

    /** Whether the appserver with this valid index signed. */
    boolean byAppserver(int index, Signed<?> signed, Domain domain) {
        return signed.verify(verifier, appservers.get(index), domain);
    }

    /** Whether the bftserver with this valid index signed. */
    boolean byBftserver(int index, Signed<?> signed, Domain domain) {
        return signed.verify(verifier, bftservers.get(index), domain);
    }
}
