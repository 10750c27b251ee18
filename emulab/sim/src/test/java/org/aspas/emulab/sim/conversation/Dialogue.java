package org.aspas.emulab.sim.conversation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.aspas.appserver.core.state.ConnectionId;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.evidence.EvidenceJudge;
import org.aspas.certify.identity.AgreementShare;
import org.aspas.certify.identity.ClientId;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.Sealer;
import org.aspas.client.core.CallId;
import org.aspas.client.core.CertificateCheck;
import org.aspas.client.core.ClientCore;
import org.aspas.client.core.ClientSettings;
import org.aspas.client.core.ClientState;
import org.aspas.client.core.Effect;
import org.aspas.client.core.Event;
import org.aspas.client.core.Policy;
import org.aspas.client.core.Tagging;

/** The real core of a client at appserver 0 of a {@link CoreDeployment}, and what the two say to each other. */
final class Dialogue {
    static final int CLIENT_SEED = 0x01;
    static final int SHARE_SECRET = 0x77;
    static final long TOLERANCE = 8;
    private static final ConnectionId CONNECTION = new ConnectionId(1);
    private static final long TICK_MILLIS = 250;
    private static final long PATIENCE_MILLIS = 60_000;
    /** From which request on the requests of a session have tags here. */
    private static final int TAGGED_FROM = 3;

    /** A frame, whoever sent it. */
    record Line(boolean byServer, byte[] frame) {
        Message message() {
            return CoreDeployment.decoded(frame) instanceof Frame.Sealed sealed
                    ? sealed.signed().message()
                    : ((Frame.Plain) CoreDeployment.decoded(frame)).message();
        }
    }

    final List<Line> lines = new ArrayList<>();
    final List<Effect> effects = new ArrayList<>();
    private final CoreDeployment servers;
    private final ClientCore core;
    private long calls;

    Dialogue(Descriptor descriptor) {
        servers = new CoreDeployment(descriptor, this::received);
        core = client(descriptor);
        servers.every(TICK_MILLIS, () -> step(new Event.Tick(servers.now())));
        step(new Event.Connected());
        servers.open(CONNECTION);
    }

    static ClientId id(SigningKey key) {
        return new ClientId(key.publicKey(), 1_700_000_000_000_000L, 0x0102030405060708L);
    }

    /** A client that stays with its server, and asks no other one. */
    static ClientCore client(Descriptor descriptor) {
        SigningKey key = CoreDeployment.key(CLIENT_SEED);
        byte[] secret = new byte[AgreementShare.LENGTH];
        Arrays.fill(secret, (byte) SHARE_SECRET);
        CertificateVerifier verifier =
                new CertificateVerifier(descriptor.quorums(), descriptor.keys(Role.BFTSERVER), descriptor.verifier());
        ClientSettings settings = new ClientSettings(
                descriptor.verifier(),
                EvidenceJudge.of(descriptor),
                descriptor.quorums(),
                descriptor.keys(Role.APPSERVER),
                0,
                id(key),
                new ClientSettings.Bounds(64, 16, 64, 16, 512, 1 << 16, PATIENCE_MILLIS),
                Policy.STAY,
                false,
                new Tagging(descriptor.agreements(), secret::clone, PATIENCE_MILLIS, TAGGED_FROM));
        CertificateCheck check = certificate -> verifier.verify(certificate)
                .<CertificateCheck.Verdict>map(CertificateCheck.Verdict.Wrong::new)
                .orElse(new CertificateCheck.Verdict.Genuine(certificate));
        return new ClientCore(
                settings,
                new Sealer(key, descriptor.id()),
                check,
                ClientState.FRESH,
                TOLERANCE,
                new SplittableRandom(1));
    }

    private void received(byte[] frame) {
        lines.add(new Line(true, frame));
        step(new Event.FrameReceived(CoreDeployment.decoded(frame)));
    }

    private void step(Event event) {
        for (Effect effect : core.step(event)) {
            effects.add(effect);
            if (effect instanceof Effect.Send send) {
                byte[] frame = Codec.encode(send.frame());
                lines.add(new Line(false, frame));
                servers.fromClient(CONNECTION, frame);
            }
        }
    }

    CallId call() {
        return new CallId(++calls);
    }

    /** The application calls, and waits until something comes of it. */
    void call(Event event, Predicate<Effect> end) {
        int before = effects.size();
        step(event);
        until(() -> effects.subList(before, effects.size()).stream().anyMatch(end));
    }

    /** Waits until the server has sent so many frames of a kind. */
    void until(java.util.function.BooleanSupplier done) {
        long patience = servers.now() + PATIENCE_MILLIS;
        while (!done.getAsBoolean()) {
            if (servers.now() > patience) {
                throw new IllegalStateException("nothing came of it: " + effects);
            }
            servers.next();
        }
    }
}
