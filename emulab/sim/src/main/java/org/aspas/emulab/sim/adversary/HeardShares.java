package org.aspas.emulab.sim.adversary;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Certificate.ReplicaSignature;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Share;

/** The bftservers' signatures that an appserver was given, of the newest certificates. */
final class HeardShares {
    private static final int REMEMBERED = 16;

    private final TreeMap<CertificateNumber, List<Share>> byNumber = new TreeMap<>();

    /** Remembers a frame if it is a share. */
    void heard(Frame frame) {
        if (frame instanceof Frame.Plain plain && plain.message() instanceof Share share) {
            byNumber.computeIfAbsent(share.content().message().number(), any -> new ArrayList<>())
                    .add(share);
            if (byNumber.size() > REMEMBERED) {
                byNumber.pollFirstEntry();
            }
        }
    }

    /** Another content than this one under its number, with every signature that was heard of it. */
    Optional<Certificate> against(CertificateContent genuine) {
        return byNumber.getOrDefault(genuine.number(), List.of()).stream()
                .map(share -> share.content().message())
                .filter(content -> !content.equals(genuine))
                .findFirst()
                .flatMap(content -> signed(content, 1));
    }

    /** The newest certificate of which at least so many signatures were heard. */
    Optional<Certificate> newest(int signatures) {
        for (List<Share> shares : byNumber.descendingMap().values()) {
            for (Share one : shares) {
                Optional<Certificate> made = signed(one.content().message(), signatures);
                if (made.isPresent()) {
                    return made;
                }
            }
        }
        return Optional.empty();
    }

    private Optional<Certificate> signed(CertificateContent content, int least) {
        TreeMap<Integer, Share> signers = new TreeMap<>();
        byNumber.getOrDefault(content.number(), List.of()).stream()
                .filter(share -> share.content().message().equals(content))
                .sorted(Comparator.comparingInt(Share::replica))
                .forEach(share -> signers.putIfAbsent(share.replica(), share));
        if (signers.size() < least) {
            return Optional.empty();
        }
        List<ReplicaSignature> signatures = signers.values().stream()
                .map(share ->
                        new ReplicaSignature(share.replica(), share.content().signature()))
                .toList();
        byte[] payload = signers.firstEntry().getValue().content().payload();
        return Optional.of(new Certificate(content, payload, signatures));
    }
}
