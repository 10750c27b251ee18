package org.aspas.certify.model;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.identity.Quorums;
import org.aspas.certify.identity.SigningKey;
import org.aspas.certify.identity.Verifier;
import org.aspas.certify.machine.Membership;
import org.aspas.certify.machine.Outcome;
import org.aspas.certify.replica.RecordItem;
import org.aspas.certify.wire.Accept;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Codec;
import org.aspas.certify.wire.Commit;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Frame;
import org.aspas.certify.wire.Message;
import org.aspas.certify.wire.ProvenContent;
import org.aspas.certify.wire.Recover;
import org.aspas.certify.wire.Sealer;
import org.aspas.certify.wire.Share;
import org.aspas.certify.wire.Signed;

/** The deployment of the search: keys, and small names for contents, words and proofs with the real messages behind them. */
final class Lexicon {
    /** The Byzantine bftserver; the others are 0, 1, 2. */
    static final int LIAR = 3;

    static final int CORRECT = 3;
    private static final Hash DEPLOYMENT = Hash.sha256(new byte[] {11});

    final Quorums quorums = new Quorums(1, 1);
    final List<Sealer> bftservers = sealers(2, quorums.bftservers());
    final List<Sealer> appservers = sealers(1, quorums.appservers());
    final Membership members = new Membership(
            quorums,
            appservers.stream().map(Sealer::publicKey).toList(),
            bftservers.stream().map(Sealer::publicKey).toList(),
            new Verifier(DEPLOYMENT));
    private final List<CertificateContent> contents = new ArrayList<>();
    private final Map<Hash, Integer> contentNames = new HashMap<>();
    private final List<Word> words = new ArrayList<>();
    private final List<Frame> frames = new ArrayList<>();
    private final Map<Word, Integer> wordNames = new HashMap<>();
    private final Map<Word.Proof, ProvenContent> proofs = new HashMap<>();
    private final Map<Hash, Word.Start> starts = new HashMap<>();

    private static List<Sealer> sealers(int role, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Sealer(
                        SigningKey.of(
                                Hash.sha256(new byte[] {(byte) role, (byte) i}).toBytes()),
                        DEPLOYMENT))
                .toList();
    }

    int contentName(CertificateContent content) {
        return contentNames.computeIfAbsent(Hash.sha256(Codec.encode(content)), any -> {
            contents.add(content);
            return contents.size() - 1;
        });
    }

    /** The name of a content that was met before; -1 for one that was not. */
    int contentName(Hash hash) {
        return contentNames.getOrDefault(hash, -1);
    }

    CertificateContent content(int name) {
        return contents.get(name);
    }

    int contentCount() {
        return contents.size();
    }

    long number(int content) {
        return contents.get(content).number().value();
    }

    Hash hash(int content) {
        return Hash.sha256(Codec.encode(contents.get(content)));
    }

    int wordName(Word word) {
        Integer known = wordNames.get(word);
        if (known != null) {
            return known;
        }
        words.add(word);
        frames.add(new Frame.Sealed(bftservers.get(word.replica()).seal(message(word))));
        wordNames.put(word, words.size() - 1);
        return words.size() - 1;
    }

    Word word(int name) {
        return words.get(name);
    }

    Optional<Frame> frame(int name) {
        return Optional.of(frames.get(name));
    }

    Hash startHash(Word.Start start) {
        if (start.replica() < 0) {
            return Hash.ZERO;
        }
        Hash hash = Hash.sha256(("start " + start).getBytes(StandardCharsets.UTF_8));
        starts.put(hash, start);
        return hash;
    }

    private Message message(Word word) {
        if (word instanceof Word.Accepting one) {
            return new Accept(
                    one.replica(), new CertificateNumber(number(one.content())), one.attempt(), hash(one.content()));
        }
        if (word instanceof Word.Committing one) {
            return new Commit(
                    one.replica(), new CertificateNumber(number(one.content())), one.attempt(), hash(one.content()));
        }
        return recover((Word.Stating) word);
    }

    Recover recover(Word.Stating one) {
        return new Recover(
                one.replica(),
                startHash(one.start()),
                startHash(one.answers()),
                one.knowing(),
                Epoch.NONE,
                new CertificateNumber(one.number()),
                one.attempt(),
                one.proof().present() ? proof(one.proof()) : null);
    }

    /** What a message of a bftserver says. */
    Word wordOf(Message message) {
        if (message instanceof Accept accept) {
            return new Word.Accepting(accept.replica(), contentName(accept.content()), (int) accept.attempt());
        }
        if (message instanceof Commit commit) {
            return new Word.Committing(commit.replica(), contentName(commit.content()), (int) commit.attempt());
        }
        Recover recover = (Recover) message;
        // Epochs are left out of the search; and which start of a replica with a record says something changes nothing.
        return new Word.Stating(
                recover.knowing() ? new Word.Start(recover.replica(), 0) : startOf(recover.start(), recover.replica()),
                startOf(recover.answers(), -1),
                recover.knowing(),
                recover.number().value(),
                recover.attempt(),
                proofOf(recover.proven()));
    }

    private Word.Start startOf(Hash hash, int replica) {
        return starts.getOrDefault(hash, new Word.Start(replica, 0));
    }

    Word.Proof proofOf(ProvenContent proven) {
        return proven == null ? Word.Proof.NONE : new Word.Proof(contentName(proven.content()), (int) proven.attempt());
    }

    /** One of the proofs that there are of a content in an attempt: by the words of the first 2b+1. */
    ProvenContent proof(Word.Proof proof) {
        return proofs.computeIfAbsent(proof, any -> {
            List<Signed<Accept>> accepts = new ArrayList<>();
            for (int replica = 0; replica < quorums.bftserverQuorum(); replica++) {
                accepts.add(bftservers
                        .get(replica)
                        .seal(new Accept(
                                replica,
                                new CertificateNumber(number(proof.content())),
                                proof.attempt(),
                                hash(proof.content()))));
            }
            return new ProvenContent(content(proof.content()), Codec.encode(content(proof.content())), accepts);
        });
    }

    Share share(int replica, int content) {
        return new Share(replica, bftservers.get(replica).seal(content(content)));
    }

    /** What an outcome says, where proofs of one content in one attempt are all the same. */
    String describe(Outcome outcome) {
        if (outcome instanceof Outcome.Decided one) {
            return "decided " + name(contentName(one.content())) + " attempt " + one.attempt() + " shown "
                    + describe(proofOf(one.earlier()));
        }
        if (outcome instanceof Outcome.Accepted one) {
            return "accepted " + describe(proofOf(one.proven()));
        }
        if (outcome instanceof Outcome.ReadyToSign one) {
            return "ready " + describe(proofOf(one.proven()));
        }
        if (outcome instanceof Outcome.Recovered one) {
            return "recovered " + wordOf(one.statement());
        }
        return outcome.toString();
    }

    String describe(Word.Proof proof) {
        return proof.present() ? name(proof.content()) + "@" + proof.attempt() : "none";
    }

    /** A readable name: number and letter, and what it follows. */
    String name(int content) {
        if (content < 0) {
            return "?";
        }
        CertificateContent one = contents.get(content);
        int before = contentName(one.previous());
        return (before < 0 ? "" : name(before) + "-")
                + one.number()
                + (char) ('A' + one.state().toBytes()[0]);
    }

    String describe(Word word) {
        if (word instanceof Word.Accepting one) {
            return "ACCEPT(" + one.replica() + ", " + name(one.content()) + ", attempt " + one.attempt() + ")";
        }
        if (word instanceof Word.Committing one) {
            return "COMMIT(" + one.replica() + ", " + name(one.content()) + ", attempt " + one.attempt() + ")";
        }
        Word.Stating one = (Word.Stating) word;
        return "RECOVER(" + one.replica() + ", start " + one.start().count()
                + (one.answers().replica() < 0
                        ? ""
                        : ", answers " + one.answers().replica())
                + (one.knowing() ? "" : ", without a record") + ", number " + one.number()
                + ", attempt " + one.attempt() + ", proof " + describe(one.proof()) + ")";
    }

    /** What an item of a record says. */
    String describe(RecordItem item) {
        if (item instanceof RecordItem.Taught one) {
            return "taught " + one.floor();
        }
        if (item instanceof RecordItem.Opened one) {
            return "epoch " + one.epoch();
        }
        if (item instanceof RecordItem.AcceptedContent one) {
            return "accepted " + name(contentName(one.hash())) + "@" + one.attempt();
        }
        if (item instanceof RecordItem.Locked one) {
            return "proof of " + describe(proofOf(one.proven()));
        }
        return "signed " + name(contentName(((RecordItem.SignedShare) item).hash()));
    }
}
