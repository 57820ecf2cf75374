"""Draws a moment of an exported model with Blender's own renderer, for docs/gltf.md.

    python blender_picture.py MODEL.glb ANIMATION SECONDS OUT.png

Needs the package bpy (PyPI). The camera is located where

    effigy render MODEL --camera=270,-205,150:10,0,60 --size 400x320 --background '#404040'

puts ours; the background stays transparent.
"""

import math
import sys

import bpy
from mathutils import Vector

# The game's (x, y, z) is (y, -x, z) here, because the model faces -Y.
EYE, TARGET = Vector((-205, -270, 150)), Vector((0, -10, 60))


def play(name):
    for thing in bpy.data.objects:
        data = thing.animation_data
        for track in data.nla_tracks if data else []:
            track.mute = True
            if track.name == name:
                data.action = track.strips[0].action
                data.action_slot = track.strips[0].action_slot


def light(scene):
    scene.world = bpy.data.worlds.new("World")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.6, 0.6, 0.6, 1)
    for thing in [thing for thing in bpy.data.objects if thing.type == "LIGHT"]:
        thing.hide_render = True
    sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
    sun.data.energy = 2.5
    sun.rotation_euler = (math.radians(40), 0, math.radians(-30))
    scene.collection.objects.link(sun)


def main():
    path, animation, seconds, out = sys.argv[1:5]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)
    scene = bpy.context.scene
    light(scene)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location = EYE
    camera.rotation_euler = (TARGET - EYE).to_track_quat("-Z", "Y").to_euler()
    camera.data.clip_end = 10000
    camera.data.sensor_fit = "VERTICAL"
    camera.data.angle = math.radians(45)
    scene.collection.objects.link(camera)
    scene.camera = camera
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 48
    scene.cycles.use_denoising = False
    scene.render.resolution_x, scene.render.resolution_y = 400, 320
    scene.render.film_transparent = True
    scene.view_settings.view_transform = "Standard"
    scene.render.image_settings.file_format = "PNG"
    play(animation)
    frame = float(seconds) * scene.render.fps
    scene.frame_set(int(frame), subframe=frame - int(frame))
    scene.render.filepath = out
    bpy.ops.render.render(write_still=True)


main()
