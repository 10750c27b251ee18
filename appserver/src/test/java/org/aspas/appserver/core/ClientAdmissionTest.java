package org.aspas.appserver.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.state.ClientAdmission;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Pull;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.Refusal;
import org.aspas.certify.wire.Refusal.Reason;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.crdt.value.Operation;
import org.junit.jupiter.api.Test;

/** What a client may send is the same for the door of a server, for its core, and for the simulator. */
class ClientAdmissionTest {
    private static final OpenSession.Share SHARE = new OpenSession.Share(AgreementShare.of(new byte[32]), 0);

    private final Deployment world = new Deployment(1);
    private final Sealer sealer = world.sealer(3, 1);
    private final ClientId client = new ClientId(sealer.publicKey());
    private final Signed<Request> request = sealer.seal(new Request(client, 7, "k", "aw-set", Operation.of("clear")));

    private ClientAdmission admission(int maxRequestBytes) {
        return new ClientAdmission(world.verifier, client::equals, maxRequestBytes, true);
    }

    /** The same beside tags, right or wrong. */
    private static Frame tagged(Signed<Request> signed) {
        return new Frame.Sealed(signed, new byte[4 * TaggedRequest.TAG_BYTES]);
    }

    private static <M extends Message> Signed<M> forged(Signed<M> signed) {
        byte[] signature = signed.signature().clone();
        signature[0] ^= 1;
        return new Signed<>(signed.message(), signed.payload(), signature);
    }

    @Test
    void whatClientsSendIsAdmitted() {
        for (Frame frame : List.of(
                new Frame.Plain(new Read(1, "k", "aw-set", false, CertificateNumber.NONE)),
                new Frame.Plain(new GetCertificate(CertificateNumber.FIRST)),
                new Frame.Sealed(request),
                tagged(request),
                new Frame.Sealed(sealer.seal(new OpenSession(client, 1, 1, SHARE))),
                new Frame.Sealed(sealer.seal(new OpenSession(client, 1, 1))),
                new Frame.Sealed(sealer.seal(new AskStanding(client, 5, List.of()))))) {
            assertThat(ClientAdmission.fromClient(frame)).isTrue();
            assertThat(admission(1000).refusal(frame)).isEmpty();
        }
    }

    @Test
    void whatServersSendIsMalformed() {
        for (Frame frame : List.of(
                new Frame.Plain(new Pull(0, 0)),
                new Frame.Plain(request.message()),
                new Frame.Sealed(sealer.seal(new Head(0, 1, Hash.ZERO))))) {
            assertThat(ClientAdmission.fromClient(frame)).isFalse();
            assertThat(admission(1000).refusal(frame)).map(Refusal::reason).contains(Reason.MALFORMED);
        }
    }

    /** Tags are no way past the door. */
    @Test
    void aTaggedRequestIsRefusedAsThePlainOne() {
        Sealer other = world.sealer(3, 2);
        Signed<Request> strange =
                other.seal(new Request(new ClientId(other.publicKey()), 7, "k", "aw-set", Operation.of("clear")));
        for (Signed<Request> wrong : List.of(forged(request), strange)) {
            Optional<Refusal> plain = admission(1000).refusal(new Frame.Sealed(wrong));
            assertThat(plain).isPresent();
            assertThat(admission(1000).refusal(tagged(wrong))).isEqualTo(plain);
        }
        ClientAdmission narrow = admission(request.payload().length - 1);
        assertThat(narrow.refusal(tagged(request)))
                .isEqualTo(narrow.refusal(new Frame.Sealed(request)))
                .map(Refusal::reason)
                .contains(Reason.TOO_LARGE);
    }

    /** Programs before tags cannot read it: in their deployments no entry may have one. */
    @Test
    void withoutTagsAShareIsMalformed() {
        ClientAdmission untagged = new ClientAdmission(world.verifier, client::equals, 1000, false);
        Signed<OpenSession> open = sealer.seal(new OpenSession(client, 1, 1, SHARE));
        assertThat(untagged.refusal(new Frame.Sealed(open)))
                .map(Refusal::reason)
                .contains(Reason.MALFORMED);
        assertThat(untagged.refusal(new Frame.Sealed(sealer.seal(new OpenSession(client, 1, 1)))))
                .isEmpty();
        assertThat(untagged.refusal(tagged(request))).isEmpty();
    }

    @Test
    void aRefusalNamesTheRequestOrTheQuestion() {
        Sealer other = world.sealer(3, 2);
        Signed<AskStanding> strange = other.seal(new AskStanding(new ClientId(other.publicKey()), 5, List.of()));
        assertThat(admission(1000).refusal(new Frame.Sealed(strange)))
                .contains(new Refusal(5, true, Reason.UNKNOWN_CLIENT, "this deployment does not admit the client"));
        assertThat(admission(request.payload().length - 1).refusal(new Frame.Sealed(request)))
                .contains(new Refusal(client, 7, false, Reason.TOO_LARGE, "the request is longer than the limit"));
        assertThat(admission(1000).refusal(new Frame.Sealed(forged(request))))
                .contains(new Refusal(client, 7, false, Reason.BAD_SIGNATURE, "the client's signature is wrong"));
    }
}
