package org.aspas.appserver.core.base;

import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.objects.CertifiedState;
import org.aspas.appserver.core.objects.StateLoading;
import org.aspas.appserver.core.port.BaseImage;
import org.aspas.appserver.core.port.CoreSettings;
import org.aspas.appserver.core.port.SavedBase;
import org.aspas.appserver.core.snapshot.Snapshot;
import org.aspas.appserver.core.snapshot.VerifiedHead;
import org.aspas.certify.certificate.CertificateVerifier;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.Head;
import org.aspas.certify.wire.Signed;
import org.aspas.certify.wire.SnapshotLeaves;

/**
 * What a base gave back, verified as the snapshot of a peer is: the certificate by its signatures, the logs' ends and the state by the
 * roots in it. What was signed after that is in the journal.
 *
 * @param snapshot the certified state, and the ends of the logs
 * @param heads the newest heads of the logs, whose signatures are not verified
 * @param leaves what was kept of leaves, which is not verified: whoever uses the roots compares them with the logs' ends
 */
public record SavedState(Snapshot snapshot, List<Signed<Head>> heads, KeptLeaves leaves) {
    public SavedState {
        heads = List.copyOf(heads);
    }

    /** Loads what a base holds; empty when that is not a certified state of this deployment. */
    public static Optional<SavedState> of(SavedBase base, CoreSettings settings) {
        return of(base, settings, Long.MAX_VALUE);
    }

    /** The same, with room for so many bytes of objects in memory; others stay in the base alone. */
    public static Optional<SavedState> of(SavedBase base, CoreSettings settings, long room) {
        Optional<BaseHead> head = BaseHead.decode(base.head());
        CertificateVerifier verifier =
                new CertificateVerifier(settings.quorums(), settings.bftserverKeys(), settings.verifier());
        KeptLeaves.Loading leaves = new KeptLeaves.Loading(settings.quorums().appservers());
        int blockLevel = settings.limits().retention().leafBlockLevel();
        return head.flatMap(found -> {
            Certificate certificate = found.snapshot().certificate();
            return certificate == null || verifier.verify(certificate).isPresent()
                    ? Optional.empty()
                    : VerifiedHead.of(found.snapshot(), certificate)
                            .flatMap(verified -> state(base, certificate, room, leaves)
                                    .map(state -> new SavedState(
                                            new Snapshot(verified, state), found.heads(), leaves.all(blockLevel))));
        });
    }

    private static Optional<CertifiedState> state(
            SavedBase base, Certificate certificate, long room, KeptLeaves.Loading leaves) {
        StateLoading loading = new StateLoading(room);
        boolean[] right = {true};
        boolean all = base.contents((key, content) -> {
            if (key.length > 0 && key[0] == BaseImage.LEAVES) {
                leaves.take(key, content);
                return true;
            }
            right[0] = SnapshotLeaves.decode(content)
                    .accepted()
                    .filter(leaf -> loading.take(key, leaf))
                    .isPresent();
            return right[0];
        });
        return all && right[0] ? loading.state(certificate.content().state()) : Optional.empty();
    }
}
