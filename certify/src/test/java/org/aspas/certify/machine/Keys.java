package org.aspas.certify.machine;

import java.util.List;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.wire.Sealer;

/** The keys of a test deployment. */
record Keys(List<Sealer> appservers, List<Sealer> bftservers, Membership members) {
    static Keys of(Quorums quorums) {
        Hash deployment = Hash.sha256(new byte[] {1});
        List<Sealer> appservers = sealers(deployment, 1, quorums.appservers());
        List<Sealer> bftservers = sealers(deployment, 2, quorums.bftservers());
        Membership members = new Membership(
                quorums,
                appservers.stream().map(Sealer::publicKey).toList(),
                bftservers.stream().map(Sealer::publicKey).toList(),
                new Verifier(deployment));
        return new Keys(appservers, bftservers, members);
    }

    private static List<Sealer> sealers(Hash deployment, int role, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Sealer(
                        SigningKey.of(
                                Hash.sha256(new byte[] {(byte) role, (byte) i}).toBytes()),
                        deployment))
                .toList();
    }
}
