package org.aspas.certify.replica;

import java.util.List;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;

/**
 * Who signs in a deployment with f = b = 1, for tests of one bftserver's core.
 *
 * @param appservers by index
 * @param bftservers by index
 * @param members whose signatures count
 */
record Signers(List<Sealer> appservers, List<Sealer> bftservers, Membership members) {
    private static final Quorums QUORUMS = new Quorums(1, 1);

    static Signers of(Hash deployment) {
        List<Sealer> appservers = sealers(deployment, 1, QUORUMS.appservers());
        List<Sealer> bftservers = sealers(deployment, 2, QUORUMS.bftservers());
        Membership members = new Membership(
                QUORUMS,
                appservers.stream().map(Sealer::publicKey).toList(),
                bftservers.stream().map(Sealer::publicKey).toList(),
                new Verifier(deployment));
        return new Signers(appservers, bftservers, members);
    }

    private static List<Sealer> sealers(Hash deployment, int role, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Sealer(
                        SigningKey.of(
                                Hash.sha256(new byte[] {(byte) role, (byte) i}).toBytes()),
                        deployment))
                .toList();
    }

    /** The message in a frame. */
    static Message message(byte[] bytes) {
        return Codec.decode(bytes).accepted().orElseThrow().message();
    }
}
