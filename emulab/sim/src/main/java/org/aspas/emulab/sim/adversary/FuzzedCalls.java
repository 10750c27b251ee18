package org.aspas.emulab.sim.adversary;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.wire.AskStanding;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Complain;
import org.aspas.certify.wire.Evidence;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.GetCertificate;
import org.aspas.certify.wire.Inspect;
import org.aspas.certify.wire.Kind;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.OpenSession;
import org.aspas.certify.wire.Question;
import org.aspas.certify.wire.Read;
import org.aspas.certify.wire.ReadPart;
import org.aspas.certify.wire.Request;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.TaggedRequest;
import org.aspas.crdt.type.DataTypes;
import org.aspas.crdt.value.Value;

/** What a client can send, with changed fields, signed again with its own key. */
final class FuzzedCalls {
    private static final Set<Kind> KINDS = EnumSet.of(
            Kind.REQUEST,
            Kind.TAGGED_REQUEST,
            Kind.OPEN_SESSION,
            Kind.READ,
            Kind.GET_CERTIFICATE,
            Kind.ASK_STANDING,
            Kind.INSPECT,
            Kind.COMPLAIN);

    private final AdversaryContext power;
    private final ClientId self;
    private final FrameFuzzer frames;
    private long nonce;

    FuzzedCalls(AdversaryContext power) {
        this.power = power;
        this.self = new ClientId(power.sealer().publicKey());
        this.frames = new FrameFuzzer(power, self);
        plain(new Read(1, "counter/all", DataTypes.PN_COUNTER.name(), true, CertificateNumber.FIRST));
        part(ReadPart.element(Value.of("element 1")));
        part(ReadPart.page(Hash.ZERO, CertificateNumber.FIRST));
        plain(new GetCertificate(CertificateNumber.FIRST));
        sign(new OpenSession(self, 2, 4));
        AgreementShare share = AgreementShare.of(power.chance().bytes(AgreementShare.LENGTH));
        sign(new OpenSession(self, 3, 4, new OpenSession.Share(share, 0)));
    }

    private void part(ReadPart part) {
        plain(new Read(++nonce, "set/all", DataTypes.AW_SET.name(), true, CertificateNumber.FIRST, part));
    }

    private void plain(Message message) {
        frames.learn(new Frame.Plain(message));
    }

    private void sign(Message message) {
        frames.learn(new Frame.Sealed(power.sealer().seal(message)));
    }

    /** Learns a request of this client. */
    void request(Signed<Request> request) {
        frames.learn(new Frame.Sealed(request));
        int tags = power.quorums().appservers() * TaggedRequest.TAG_BYTES;
        frames.learn(new Frame.Sealed(request, power.chance().bytes(tags)));
        sign(new AskStanding(
                self, ++nonce, List.of(new AskStanding.Named(request.message().number(), request.identity()))));
    }

    /** Learns what a server answered to a request, or to a read. */
    void answer(Signed<org.aspas.certify.wire.Response> response, Question question) {
        sign(new Inspect(self, ++nonce, response, question));
        Read read = new Read(++nonce, "counter/bad", DataTypes.PN_COUNTER.name(), false, CertificateNumber.NONE);
        sign(new Inspect(self, ++nonce, response, Question.of(read)));
    }

    /** Learns something to complain with. */
    void evidence(Evidence evidence) {
        sign(new Complain(self, ++nonce, evidence));
    }

    Optional<byte[]> any() {
        return frames.any(KINDS);
    }
}
