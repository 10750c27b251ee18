package org.aspas.certify.tag;

import java.util.List;
import java.util.stream.IntStream;
import org.aspas.certify.identity.AgreementKey;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.ClientSigned;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.crdt.value.Operation;

/** A session of a client at server {@value #HOME}, in a deployment of four, as the client has it. */
record TaggedSession(Sealer sealer, ClientId client, AgreementKey own, Signed<ClientSigned> record, RequestTags tags) {
    static final int HOME = 1;
    static final Hash DEPLOYMENT = Hash.sha256(new byte[] {7});

    static AgreementKey server(int index) {
        return AgreementKey.of(Hash.sha256(new byte[] {1, (byte) index}).toBytes());
    }

    static List<AgreementShare> servers() {
        return IntStream.range(0, 4).mapToObj(i -> server(i).share()).toList();
    }

    static TaggedSession of(int client, long number) {
        return of(client, number, 0);
    }

    /** Another one under the same number, for another variant. */
    static TaggedSession of(int client, long number, int variant) {
        AgreementKey own = AgreementKey.of(
                Hash.sha256(new byte[] {2, (byte) client, (byte) (client >> 8), (byte) number, (byte) variant})
                        .toBytes());
        return of(client, number, own, new OpenSession.Share(own.share(), HOME));
    }

    static TaggedSession of(int client, long number, AgreementKey own, OpenSession.Share share) {
        byte[] seed =
                Hash.sha256(new byte[] {3, (byte) client, (byte) (client >> 8)}).toBytes();
        Sealer sealer = new Sealer(SigningKey.of(seed), DEPLOYMENT);
        ClientId id = new ClientId(sealer.publicKey());
        Signed<ClientSigned> record = sealer.seal(new OpenSession(id, number, 0, share));
        return new TaggedSession(
                sealer, id, own, record, RequestTags.of(own, servers(), DEPLOYMENT, record.identity()));
    }

    Signed<ClientSigned> request(long number) {
        return sealer.seal(new Request(client, number, "k", "aw-set", Operation.of("clear")));
    }
}
