package org.aspas.appserver.core.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.aspas.appserver.core.certification.SnapshotCheck;
import org.aspas.appserver.core.certification.SnapshotCheck.WrongSnapshot;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.DescriptorFile;
import org.aspas.certify.identity.DescriptorFile.InvalidDescriptor;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Limits;
import org.aspas.certify.identity.NodeDescription;
import org.aspas.certify.identity.NodeId;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.Role;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.log.MerkleLog;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.SnapshotChunk;
import org.aspas.certify.wire.SnapshotHead;
import org.aspas.certify.wire.SnapshotLeaf;
import org.aspas.certify.wire.SnapshotPull.Place;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Operation;
import org.aspas.crdt.value.Value;
import org.junit.jupiter.api.Test;

/** A snapshot from a file or from a stranger is verified with the descriptor alone: its head, and each part as it comes. */
class SnapshotCheckTest {
    private static final int CLIENTS = 3;
    private static final SnapshotHead.LogEnd EMPTY = new SnapshotHead.LogEnd(List.of(), null);

    private final StoreHistory history = new StoreHistory(5, CLIENTS);
    private final Descriptor descriptor = descriptor();
    private final CertificateContent content;

    SnapshotCheckTest() throws InvalidDescriptor {
        for (int client = 0; client < CLIENTS; client++) {
            history.session(client, 1);
        }
        for (int i = 0; i < 1_500; i++) {
            history.update(0, 0, "big", "aw-set", Operation.of("add", Value.of("an element " + i)));
        }
        history.updates(100, 30);
        history.certify();
        content = content(history.root());
    }

    private static SigningKey key(String owner) {
        return SigningKey.of(Hash.sha256(owner.getBytes(StandardCharsets.UTF_8)).toBytes());
    }

    private static Descriptor descriptor() throws InvalidDescriptor {
        List<NodeDescription> nodes = new ArrayList<>();
        for (Role role : List.of(Role.APPSERVER, Role.BFTSERVER)) {
            for (int i = 0; i < 4; i++) {
                int port = 1_000 + nodes.size();
                byte[] ordering = role == Role.BFTSERVER ? new byte[] {1} : new byte[0];
                nodes.add(new NodeDescription(
                        new NodeId(role, i), key(role + " " + i).publicKey(), "localhost", port, port + 100, ordering));
            }
        }
        SigningKey operator = key("operator");
        return DescriptorFile.sign(operator, "check", new Quorums(1, 1), nodes, Set.of(), Limits.DEFAULT)
                .open(operator.publicKey());
    }

    private CertificateContent content(Hash state) {
        Hash none = MerkleLog.after(0, List.of()).root();
        return new CertificateContent(
                descriptor.id(),
                history.number,
                Hash.ZERO,
                VersionVector.zero(4),
                Collections.nCopies(4, none),
                state,
                List.of());
    }

    private SnapshotHead head(CertificateContent signed, int... replicas) {
        List<Certificate.ReplicaSignature> signatures = IntStream.of(replicas)
                .mapToObj(replica -> new Certificate.ReplicaSignature(
                        replica,
                        new Sealer(key(Role.BFTSERVER + " " + replica), descriptor.id())
                                .seal(signed)
                                .signature()))
                .toList();
        return new SnapshotHead(
                new Certificate(signed, Codec.encode(signed), signatures), Collections.nCopies(4, EMPTY));
    }

    private SnapshotCheck begun() throws WrongSnapshot {
        return SnapshotCheck.of(descriptor, head(content, 0, 1, 3));
    }

    private static List<Place> places(SnapshotCheck check) {
        List<Place> places = new ArrayList<>();
        check.places(places::add);
        return places;
    }

    private SnapshotChunk part(Place place) {
        return history.store.view().chunk(history.number, place);
    }

    private void takeAll(SnapshotCheck check) throws WrongSnapshot {
        while (!check.complete()) {
            for (Place place : places(check)) {
                if (check.needs(place)) {
                    check.take(part(place));
                }
            }
        }
    }

    private static void assertWrong(Taking taking, String words) {
        assertThatThrownBy(taking::run).isInstanceOf(WrongSnapshot.class).hasMessageContaining(words);
    }

    private interface Taking {
        void run() throws WrongSnapshot;
    }

    @Test
    void allPartsMakeTheCertifiedState() throws WrongSnapshot {
        SnapshotCheck check = begun();
        assertThat(check.certificate().number()).isEqualTo(history.number);
        takeAll(check);
        assertThat(check.chunks()).isGreaterThan(1);
        assertThat(check.state().objectCount()).isEqualTo(history.store.size());
    }

    @Test
    void aHeadIsRefusedThatTheBftserversDidNotSignOrThatHasOtherLogs() {
        assertWrong(
                () -> SnapshotCheck.of(descriptor, new SnapshotHead(null, Collections.nCopies(4, EMPTY))),
                "no certificate yet");
        assertWrong(() -> SnapshotCheck.of(descriptor, head(content, 0, 1)), "not valid");
        SnapshotHead genuine = head(content, 0, 1, 2);
        CertificateContent other = content(Hash.sha256(new byte[] {1}));
        Certificate renamed = new Certificate(
                other,
                Codec.encode(other),
                genuine.certificate() == null
                        ? List.of()
                        : genuine.certificate().signatures());
        assertWrong(() -> SnapshotCheck.of(descriptor, new SnapshotHead(renamed, genuine.logs())), "not valid");
        List<SnapshotHead.LogEnd> longer = new ArrayList<>(genuine.logs());
        longer.set(1, new SnapshotHead.LogEnd(List.of(Hash.ZERO), null));
        assertWrong(
                () -> SnapshotCheck.of(descriptor, new SnapshotHead(genuine.certificate(), longer)),
                "the ends of the logs");
    }

    @Test
    void aPartIsRefusedThatIsForgedOrOfAnotherSnapshotOrComesAgain() throws WrongSnapshot {
        SnapshotCheck check = begun();
        SnapshotChunk first = part(places(check).get(0));
        List<SnapshotLeaf> fewer = first.leaves().subList(1, first.leaves().size());
        assertWrong(
                () -> check.take(new SnapshotChunk(first.number(), first.place(), first.proof(), fewer)),
                "part 1 is not what certificate");
        CertificateNumber next = first.number().next();
        assertWrong(
                () -> check.take(new SnapshotChunk(next, first.place(), first.proof(), first.leaves())),
                "not one of this snapshot");
        check.take(first);
        assertWrong(() -> check.take(first), "comes twice");
        assertThat(check.chunks()).isEqualTo(1);
        assertWrong(check::state, "parts are missing");
        takeAll(check);
        assertThat(check.state().objectCount()).isEqualTo(history.store.size());
    }
}
