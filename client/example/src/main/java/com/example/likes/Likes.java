package com.example.likes;

import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.aspas.client.api.AspasClient;
import org.aspas.client.api.ElementType;
import org.aspas.client.api.ReadLevel;
import org.aspas.client.api.TypedSet;
import org.aspas.client.api.Update;

/** The likes and comments of posts. The client is its maker's to close. */
public final class Likes {
    private final AspasClient client;

    public Likes(AspasClient client) {
        this.client = client;
    }

    /** Likes a post. What is shown at once is the answer; what nobody can take back is the confirmation. */
    public Update like(String post) {
        return client.counter("likes/" + post).increment(1);
    }

    /** How many like a post, for a page: newest, and as trustworthy as the server. */
    public CompletionStage<Long> shown(String post) {
        return client.counter("likes/" + post).get(ReadLevel.LOCAL).thenApply(read -> read.value());
    }

    /** How many like a post, for whoever pays by it: proved. */
    public CompletionStage<Long> proved(String post) {
        return client.counter("likes/" + post).get(ReadLevel.CERTIFIED).thenApply(read -> read.value());
    }

    public Update comment(String post, String text) {
        return comments(post).add(text);
    }

    public CompletionStage<Set<String>> shownComments(String post) {
        return comments(post).get(ReadLevel.LOCAL).thenApply(read -> read.value());
    }

    private TypedSet<String> comments(String post) {
        return client.set("comments/" + post, ElementType.TEXT);
    }
}
