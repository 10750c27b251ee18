package org.aspas.certify.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Sets of words that correct replicas ever submitted. A word stays: it can be ordered at any later time, again, or never.
 */
final class Soups {
    private final Lexicon lexicon;
    private final List<int[]> soups = new ArrayList<>();
    private final List<Set<Word.Proof>> provable = new ArrayList<>();
    private final Interner<String> names = new Interner<>();
    private final LongTable steps = new LongTable();

    Soups(Lexicon lexicon) {
        this.lexicon = lexicon;
        name(new int[0]);
    }

    int empty() {
        return 0;
    }

    int size() {
        return soups.size();
    }

    int[] words(int name) {
        return soups.get(name);
    }

    int with(int name, int[] words) {
        int soup = name;
        for (int word : words) {
            if (!passes(lexicon.word(word))) {
                soup = with(soup, word);
            }
        }
        return soup;
    }

    /** Whether the word is not kept: what a replica says of its record to nobody is said anew whenever it counts. */
    static boolean passes(Word word) {
        return word instanceof Word.Stating stating && stating.answers().equals(Word.Start.NONE);
    }

    private int with(int name, int word) {
        long key = LongTable.key(name, word);
        long known = steps.get(key);
        if (known == LongTable.ABSENT) {
            int[] old = soups.get(name);
            int at = Arrays.binarySearch(old, word);
            known = at >= 0 ? name : name(inserted(old, -at - 1, word));
            steps.put(key, known);
        }
        return (int) known;
    }

    private static int[] inserted(int[] old, int at, int word) {
        int[] all = new int[old.length + 1];
        System.arraycopy(old, 0, all, 0, at);
        all[at] = word;
        System.arraycopy(old, at, all, at + 1, old.length - at);
        return all;
    }

    private int name(int[] words) {
        int name = names.name(Arrays.toString(words));
        if (name == soups.size()) {
            soups.add(words);
            provable.add(provable(words));
        }
        return name;
    }

    boolean has(int name, int word) {
        return Arrays.binarySearch(soups.get(name), word) >= 0;
    }

    /** What the liar can prove: contents that 2b correct replicas, and so with it 2b+1, accepted in one attempt. */
    Set<Word.Proof> provable(int name) {
        return provable.get(name);
    }

    private Set<Word.Proof> provable(int[] words) {
        Set<Word.Proof> once = new HashSet<>();
        Set<Word.Proof> proofs = new HashSet<>();
        for (int word : words) {
            if (lexicon.word(word) instanceof Word.Accepting accept) {
                Word.Proof proof = new Word.Proof(accept.content(), accept.attempt());
                if (!once.add(proof)) {
                    proofs.add(proof);
                }
            }
        }
        return proofs;
    }

    String describe(int name, int[] renaming) {
        int[] words = soups.get(name);
        int[] renamed = new int[words.length];
        for (int i = 0; i < words.length; i++) {
            renamed[i] = lexicon.wordName(lexicon.word(words[i]).renamed(renaming));
        }
        Arrays.sort(renamed);
        return Arrays.toString(renamed);
    }
}
