package org.aspas.appserver.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.PublicKey;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.jspecify.annotations.Nullable;

/** A descriptor of four appservers and four bftservers with seeded keys; no ports are given. */
record TestDeployment(Descriptor descriptor, List<SigningKey> appserverKeys) {
    static SigningKey key(long seed) {
        byte[] bytes = new byte[32];
        new Random(seed).nextBytes(bytes);
        return SigningKey.of(bytes);
    }

    static TestDeployment admitting(Set<PublicKey> admitted) throws DescriptorFile.InvalidDescriptor {
        return of(admitted, key -> null);
    }

    /** One with agreement keys that are made of the appservers' keys. */
    static TestDeployment agreeing(Function<SigningKey, @Nullable AgreementShare> agreements)
            throws DescriptorFile.InvalidDescriptor {
        return of(Set.of(), agreements);
    }

    private static TestDeployment of(Set<PublicKey> admitted, Function<SigningKey, @Nullable AgreementShare> agreements)
            throws DescriptorFile.InvalidDescriptor {
        SigningKey operator = key(1);
        Quorums quorums = new Quorums(1, 1);
        List<SigningKey> keys = new ArrayList<>();
        List<NodeDescription> nodes = new ArrayList<>();
        for (int index = 0; index < quorums.appservers(); index++) {
            keys.add(key(100 + index));
            SigningKey key = keys.get(index);
            nodes.add(new NodeDescription(
                    NodeId.appserver(index),
                    key.publicKey(),
                    "127.0.0.1",
                    0,
                    0,
                    0,
                    false,
                    agreements.apply(key),
                    new byte[0]));
        }
        for (int index = 0; index < quorums.bftservers(); index++) {
            nodes.add(new NodeDescription(
                    NodeId.bftserver(index), key(200 + index).publicKey(), "127.0.0.1", 0, 0, new byte[] {1}));
        }
        Descriptor descriptor = DescriptorFile.sign(operator, "test", quorums, nodes, admitted, Limits.DEFAULT)
                .open(operator.publicKey());
        return new TestDeployment(descriptor, keys);
    }
}
